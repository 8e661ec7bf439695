// A file is compared with its name before its first byte goes out; a file that goes out in many pieces
// would be read over and over for that. So a few stay open for a short while, and of thousands it is
// known which file was compared: a piece costs the same however many files are read in turns.

import Records

/// The files that are being read. Used from one thread at a time.
package struct AssetContents {
  /// Files kept open, and for how long.
  private static let filesMaximum = 8
  private static let secondsMaximum = 60
  /// What is held of them: the two that are usually read from at a time.
  private static let heldBytesMaximum = AssetContent.heldBytesMaximum

  private let files: AssetFiles
  private var open: [AssetDigest: Open] = [:]
  private var verified = VerifiedFiles()
  /// The bytes that were read to compare files with their names.
  private(set) var comparedByteCount = 0
  private var openings: UInt64 = 0

  private struct Open {
    let content: AssetContent
    let openedSeconds: Int
    /// Its place among all that were opened.
    let turn: UInt64
  }

  /// Nothing is open yet.
  package init(of files: AssetFiles) {
    self.files = files
  }

  /// Whether a file is open since less than a minute before `seconds`, and is still what it was then.
  package func isOpen(_ digest: AssetDigest, atSeconds seconds: Int) -> Bool {
    open[digest].map {
      seconds - $0.openedSeconds < Self.secondsMaximum && $0.content.isAsOpened
    } ?? false
  }

  /// A file's content, found to be what its name says less than ten minutes before `seconds`, which
  /// counts from any fixed moment.
  /// - Throws: what `AssetFiles.open` throws.
  package mutating func content(
    of digest: AssetDigest, atSeconds seconds: Int
  ) throws -> AssetContent {
    open = open.filter { seconds - $0.value.openedSeconds < Self.secondsMaximum }
    if let known = open[digest] {
      if known.content.isAsOpened { return known.content }
      open[digest] = nil
    }
    if open.count >= Self.filesMaximum,
      let oldest = open.min(by: { $0.value.turn < $1.value.turn })
    {
      open[oldest.key] = nil
    }
    let content = try compared(digest, atSeconds: seconds)
    openings += 1
    open[digest] = Open(content: content, openedSeconds: seconds, turn: openings)
    letGo()
    return content
  }

  /// Opens a file, which is read whole if it is not the one that was compared before.
  private mutating func compared(
    _ digest: AssetDigest, atSeconds seconds: Int
  ) throws -> AssetContent {
    let known = verified.identity(of: digest, atSeconds: seconds)
    do {
      let content = try files.open(digest, verified: known)
      if content.identity != known {
        comparedByteCount += content.byteCount
        verified.add(digest, content.identity, atSeconds: seconds)
      }
      return content
    } catch {
      verified.remove(digest)
      throw error
    }
  }

  /// Forgets what is known of a file that was found to be gone or damaged.
  package mutating func forget(_ digest: AssetDigest) {
    open[digest] = nil
    verified.remove(digest)
  }

  /// Holds the bytes of those that were opened last, as far as there is room.
  private func letGo() {
    var room = Self.heldBytesMaximum
    for file in open.values.sorted(by: { $0.turn > $1.turn }) {
      room -= file.content.heldByteCount
      if room < 0 { file.content.letGo() }
    }
  }
}
