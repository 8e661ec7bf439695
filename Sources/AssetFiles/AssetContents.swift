// A file is compared with its name whenever it is opened; a file that goes out in many pieces would
// be read over and over for that. So a few stay open for a short while.

import Records

/// The files that are being read. Used from one thread at a time.
package struct AssetContents {
  /// Files kept open, and for how long.
  private static let filesMaximum = 8
  private static let secondsMaximum = 60

  private let files: AssetFiles
  private var open: [AssetDigest: (content: AssetContent, openedSeconds: Int)] = [:]

  /// Nothing is open yet.
  package init(of files: AssetFiles) {
    self.files = files
  }

  /// Whether a file is open, found to be what its name says less than a minute before `seconds`.
  package func isOpen(_ digest: AssetDigest, atSeconds seconds: Int) -> Bool {
    open[digest].map {
      seconds - $0.openedSeconds < Self.secondsMaximum && $0.content.isAsOpened
    } ?? false
  }

  /// A file's content, found to be what its name says less than a minute before `seconds`, which
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
      let oldest = open.min(by: { $0.value.openedSeconds < $1.value.openedSeconds })
    {
      open[oldest.key] = nil
    }
    let content = try files.open(digest)
    open[digest] = (content, seconds)
    return content
  }
}
