/// The directory entry of an incomplete asset file.
package struct PartEntry: Sendable {
  /// The temporary name.
  package let name: String
  /// The number of bytes received.
  package let byteCount: Int
  /// The time of the last write, in seconds since 1970.
  package let writtenSeconds: Int
}
