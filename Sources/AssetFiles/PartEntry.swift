// What a directory says of a file that is not whole yet.

/// A part that lies in a directory of files.
package struct PartEntry: Sendable {
  /// Its name.
  package let name: String
  /// How many bytes it has.
  package let byteCount: Int
  /// When it was last written, in seconds since 1970.
  package let writtenSeconds: Int
}
