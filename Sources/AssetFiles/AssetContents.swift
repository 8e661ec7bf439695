import Records

/// A cache of open asset files. Used from one thread at a time.
///
/// A file on a disk is verified before its first byte is sent. Without a cache, sending it in many chunks would verify
/// it each time. The cache keeps 8 files open for a minute, and remembers for 10 minutes which files
/// were verified. A chunk therefore costs the same, however many files are read in turns.
package struct AssetContents {
  private static let filesMaximum = 8
  private static let secondsMaximum = 60
  /// The maximum of all cached content, which suffices for the one or two files usually read at a time.
  private static let cachedBytesMaximum = FileContent.cachedBytesMaximum

  private let files: any CompleteFiles
  private var open: [AssetDigest: Open] = [:]
  private var verifiedFiles = VerifiedFiles()
  /// The number of bytes that were read to verify files.
  private(set) var comparedByteCount = 0
  private var openings: UInt64 = 0

  private struct Open {
    let content: any AssetContent
    let openedSeconds: Int
    /// The sequence number of the opening.
    let number: UInt64
  }

  /// Creates an empty cache for `files`.
  package init(of files: any CompleteFiles) {
    self.files = files
  }

  /// Whether a file was opened less than a minute before `seconds` and has not changed since.
  package func isOpen(_ digest: AssetDigest, atSeconds seconds: Int) -> Bool {
    open[digest].map {
      seconds - $0.openedSeconds < Self.secondsMaximum && $0.content.isAsOpened
    } ?? false
  }

  /// Returns a file's content. A file on a disk was verified less than ten minutes before `seconds`, which count from
  /// any fixed moment.
  /// - Throws: The same errors as `CompleteFiles.open(_:verified:)`.
  package mutating func content(
    of digest: AssetDigest, atSeconds seconds: Int
  ) throws -> any AssetContent {
    open = open.filter { seconds - $0.value.openedSeconds < Self.secondsMaximum }
    if let known = open[digest] {
      if known.content.isAsOpened { return known.content }
      open[digest] = nil
    }
    if open.count >= Self.filesMaximum,
      let oldest = open.min(by: { $0.value.number < $1.value.number })
    {
      open[oldest.key] = nil
    }
    let content = try verified(digest, atSeconds: seconds)
    openings += 1
    open[digest] = Open(content: content, openedSeconds: seconds, number: openings)
    limitCache()
    return content
  }

  /// Opens a file, and verifies it unless the same file was verified before.
  private mutating func verified(
    _ digest: AssetDigest, atSeconds seconds: Int
  ) throws -> any AssetContent {
    let known = verifiedFiles.identity(of: digest, atSeconds: seconds)
    do {
      let content = try files.open(digest, verified: known)
      if let identity = content.identity, identity != known {
        comparedByteCount += content.byteCount
        verifiedFiles.add(digest, identity, atSeconds: seconds)
      }
      return content
    } catch {
      verifiedFiles.remove(digest)
      throw error
    }
  }

  /// Removes a file that was found missing or damaged from the cache.
  package mutating func forget(_ digest: AssetDigest) {
    open[digest] = nil
    verifiedFiles.remove(digest)
  }

  /// Discards cached bytes beyond the maximum, from the files opened first.
  private func limitCache() {
    var room = Self.cachedBytesMaximum
    for file in open.values.sorted(by: { $0.number > $1.number }) {
      room -= file.content.cachedByteCount
      if room < 0 { file.content.discardCache() }
    }
  }
}
