import Records
import Synchronization

/// The files that must not be deleted because a row that refers to them is about to be inserted.
package final class AssetPins: Sendable {
  private let counts = Mutex<[AssetDigest: Int]>([:])

  /// Creates an object without pins.
  package init() {}

  func add(_ digest: AssetDigest) {
    counts.withLock { $0[digest, default: 0] += 1 }
  }

  func remove(_ digest: AssetDigest) {
    counts.withLock { counts in
      guard let count = counts[digest] else { return }
      counts[digest] = count > 1 ? count - 1 : nil
    }
  }

  /// Returns those of `digests` that are not pinned.
  package func unpinned(of digests: [AssetDigest]) -> [AssetDigest] {
    counts.withLock { counts in digests.filter { counts[$0] == nil } }
  }

  /// Calls `body` with those of `digests` that are not pinned. No thread can pin a file before it returns.
  package func withUnpinned<Failure: Error>(
    of digests: [AssetDigest], _ body: ([AssetDigest]) throws(Failure) -> Void
  ) throws(Failure) {
    try counts.withLock { (counts) throws(Failure) in
      try body(digests.filter { counts[$0] == nil })
    }
  }
}
