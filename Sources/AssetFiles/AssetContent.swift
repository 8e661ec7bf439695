import Records

/// The content of an open asset file. Used from one thread at a time.
///
/// Every byte that it returns was compared with the digest: with the whole file when it was opened, or chunk by chunk.
package protocol AssetContent: AnyObject {
  /// The length of the content in bytes.
  var byteCount: Int { get }

  /// The file for which the comparison with its digest is valid; `nil` if each chunk is compared when it is read.
  var identity: FileIdentity? { get }

  /// Whether the file is still the one that was opened.
  var isAsOpened: Bool { get }

  /// Returns up to `count` bytes at `offset`; fewer only at the end of the file.
  /// - Throws: `damaged` if the bytes cannot be read or do not match the digest; else if the disk or the database fails.
  func bytes(from offset: Int, count: Int) throws(StoreError) -> ArraySlice<UInt8>

  /// The number of bytes of the content in memory.
  var cachedByteCount: Int { get }

  /// Discards the bytes in memory. Later reads fetch them again.
  func discardCache()
}
