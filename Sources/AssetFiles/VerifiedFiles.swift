// Which files were found to be what their names say, and which inode and times they had then. Files are
// closed again soon, as a process has few descriptors; what is known of them takes little and stays.

import Records

/// Files whose content was compared with their name. The oldest comparison goes first.
struct VerifiedFiles {
  /// A file read from in turns with so many others is not compared again. At 200 bytes each, 3 MiB.
  static let filesMaximum = 16_384
  /// After this time a file is compared again, since a disk can lose what nobody wrote to.
  static let secondsMaximum = 600

  private struct Entry {
    let identity: FileIdentity
    let seconds: Int
    let turn: UInt64
  }

  private var entries: [AssetDigest: Entry] = [:]
  /// In the order of their comparisons; those that were compared again since are in it twice.
  private var order: [(digest: AssetDigest, turn: UInt64)] = []
  private var first = 0
  private var turns: UInt64 = 0

  /// The files it knows.
  var count: Int { entries.count }

  /// The file of this digest as it was when it was compared, less than ten minutes before `seconds`.
  func identity(of digest: AssetDigest, atSeconds seconds: Int) -> FileIdentity? {
    guard let entry = entries[digest], seconds - entry.seconds < Self.secondsMaximum else {
      return nil
    }
    return entry.identity
  }

  /// A file was compared.
  mutating func add(_ digest: AssetDigest, _ identity: FileIdentity, atSeconds seconds: Int) {
    turns += 1
    entries[digest] = Entry(identity: identity, seconds: seconds, turn: turns)
    order.append((digest, turns))
    while entries.count > Self.filesMaximum {
      let oldest = order[first]
      first += 1
      if entries[oldest.digest]?.turn == oldest.turn { entries[oldest.digest] = nil }
    }
    if order.count > 2 * Self.filesMaximum { removePassed() }
  }

  /// Leaves each file in the order once.
  private mutating func removePassed() {
    order = order[first...].filter { entries[$0.digest]?.turn == $0.turn }
    first = 0
  }

  /// A file is gone, or is not what its name says.
  mutating func remove(_ digest: AssetDigest) { entries[digest] = nil }
}
