// How long the pieces of files are. Whatever is said on a connection waits for the pieces before it:
// over a socket of this machine hardly for the longest, over a telephone line behind a tunnel for
// seconds. So they begin short, and grow only while the broker answers at once.

import Records

/// The length of the next pieces in one direction.
struct PieceSize: Sendable {
  /// How long the next piece is at most.
  private(set) var bytes = Limits.assetPieceBytesMinimum

  /// An answer that takes longer makes the next pieces shorter.
  static let slowMicroseconds: Int64 = 400_000
  /// An answer that comes sooner lets them grow.
  static let fastMicroseconds: Int64 = 100_000

  /// A piece was answered that was sent or asked for at `start`; the broker takes `maximum` bytes at a
  /// time. A clock that was set between the two says nothing that harms.
  mutating func answered(sentAt start: Timestamp, now: Timestamp, maximum: Int) {
    let microseconds = now.microseconds &- start.microseconds
    if microseconds < Self.fastMicroseconds {
      bytes = min(2 * bytes, maximum)
    } else if microseconds > Self.slowMicroseconds {
      bytes = max(bytes / 2, Limits.assetPieceBytesMinimum)
    }
  }
}
