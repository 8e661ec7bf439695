import DequeModule
import Records

/// The identities of files whose content was verified, with the time of the verification.
///
/// Files are closed soon after use, because a process has few descriptors. An identity takes little memory
/// and is retained longer.
struct VerifiedFiles {
  /// The maximum number of files; beyond it the oldest verification is dropped. At 200 bytes each, 3 MiB.
  static let filesMaximum = 16_384
  /// The time after which a file is verified again, because a disk can corrupt data without any write.
  static let secondsMaximum = 600

  private struct Entry {
    let identity: FileIdentity
    let seconds: Int
    let number: UInt64
  }

  private var entries: [AssetDigest: Entry] = [:]
  /// All verifications in order. A file that was verified again is in it twice.
  private var order: Deque<(digest: AssetDigest, number: UInt64)> = []
  private var lastNumber: UInt64 = 0

  /// The number of files.
  var count: Int { entries.count }

  /// Returns the identity of a file at its verification, if that was less than ten minutes before `seconds`.
  func identity(of digest: AssetDigest, atSeconds seconds: Int) -> FileIdentity? {
    guard let entry = entries[digest], seconds - entry.seconds < Self.secondsMaximum else {
      return nil
    }
    return entry.identity
  }

  /// Notes that a file was verified.
  mutating func add(_ digest: AssetDigest, _ identity: FileIdentity, atSeconds seconds: Int) {
    lastNumber += 1
    entries[digest] = Entry(identity: identity, seconds: seconds, number: lastNumber)
    order.append((digest, lastNumber))
    while entries.count > Self.filesMaximum, let oldest = order.popFirst() {
      if entries[oldest.digest]?.number == oldest.number { entries[oldest.digest] = nil }
    }
    if order.count > 2 * Self.filesMaximum {
      let entries = entries
      order.removeAll { entries[$0.digest]?.number != $0.number }
    }
  }

  /// Removes a file that is missing or damaged.
  mutating func remove(_ digest: AssetDigest) { entries[digest] = nil }
}
