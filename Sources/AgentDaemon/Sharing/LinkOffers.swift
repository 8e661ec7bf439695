// Links of this device that the broker has not confirmed yet. A share in an answer of the broker may be older
// than such a link. Its secret must not be deleted as that of a revoked link; otherwise the broker would have
// a link that no device can show.

import DeviceStore
import Synchronization

/// The digests of links that are being sent to the broker.
final class LinkOffers: Sendable {
  private let counts = Mutex<[[UInt8]: Int]>([:])

  /// Registers a link. Call this before its secret is stored.
  func begin(_ kept: LinkSecret) {
    counts.withLock { $0[kept.digest, default: 0] += 1 }
  }

  /// Removes a link: the broker has answered, or will not.
  func end(_ kept: LinkSecret) {
    counts.withLock { counts in
      let rest = counts[kept.digest, default: 1] - 1
      counts[kept.digest] = rest > 0 ? rest : nil
    }
  }

  /// Returns the digests that the answer to a request sent now will cover.
  func settled(_ digests: Set<[UInt8]>) -> Set<[UInt8]> {
    counts.withLock { digests.subtracting($0.keys) }
  }
}
