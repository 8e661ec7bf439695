// Links that were drawn here and that the broker has not said to have. What it says of a share
// meanwhile may be of the moment before, so the secret of such a link must not be taken for one of a
// link that is no more: the broker would have a link then that nobody can show.

import DeviceStore
import Synchronization

/// The digests of links that are being offered to the broker.
final class LinkOffers: Sendable {
  private let counts = Mutex<[[UInt8]: Int]>([:])

  /// A link is going to be offered; to be called before its secret is kept.
  func begin(_ kept: KeptSecret) {
    counts.withLock { $0[kept.digest, default: 0] += 1 }
  }

  /// The broker has answered, or will not.
  func end(_ kept: KeptSecret) {
    counts.withLock { counts in
      let rest = counts[kept.digest, default: 1] - 1
      counts[kept.digest] = rest > 0 ? rest : nil
    }
  }

  /// Those of `digests` of which an answer to a question asked now will tell.
  func settled(_ digests: Set<[UInt8]>) -> Set<[UInt8]> {
    counts.withLock { digests.subtracting($0.keys) }
  }
}
