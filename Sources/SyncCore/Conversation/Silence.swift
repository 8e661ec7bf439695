// Finds a broker that no longer answers. The time between two heartbeats is divided into rounds. A round in which nothing
// was heard is silent, and a few silent rounds end the connection.

/// How long a broker has been silent.
struct Silence: Hashable, Sendable {
  /// What a round requires.
  enum Verdict: Hashable {
    case quiet
    case ping
    /// The broker no longer answers.
    case gone
  }

  /// The number of rounds between two heartbeats.
  private static let roundsPerHeartbeat = 4
  /// The number of silent rounds after which the connection ends. The broker was heard at some moment of the round before
  /// them, so the connection ends when nothing arrived for three quarters to the whole of a heartbeat.
  private static let silentRoundsMaximum = 3
  /// The slowest network, in bytes per second, on which a request arrives before the broker counts as silent.
  private static let slowestBytesPerSecond = 16 << 10
  /// The time for an answer after the network has changed.
  static let probeMilliseconds = 10_000

  /// The time between two heartbeats, at least 2.
  var heartbeatSeconds = 30 {
    didSet { heartbeatSeconds = max(2, heartbeatSeconds) }
  }
  private var hasHeard = false
  private var silentRounds = 0
  private var hasPinged = false

  /// The length of a round.
  var roundMilliseconds: Int { heartbeatSeconds * 1000 / Self.roundsPerHeartbeat }

  /// A message arrived.
  mutating func heard() { hasHeard = true }

  /// A round is over.
  /// - Parameter bytesUnderWay: The bytes of requests without an answer.
  mutating func round(bytesUnderWay: Int) -> Verdict {
    silentRounds = hasHeard ? 0 : silentRounds + 1
    hasHeard = false
    guard silentRounds < Self.silentRoundsMaximum + rounds(toSend: bytesUnderWay) else {
      return .gone
    }
    // Two rounds without a ping would let the broker take this client for gone.
    hasPinged = silentRounds > 0 || !hasPinged
    return hasPinged ? .ping : .quiet
  }

  /// Makes the next round end the connection, unless something is heard before.
  /// - Returns: `false` if that is so already.
  mutating func doubt() -> Bool {
    guard hasHeard || silentRounds < Self.silentRoundsMaximum - 1 else { return false }
    hasHeard = false
    hasPinged = true
    silentRounds = Self.silentRoundsMaximum - 1
    return true
  }

  /// The rounds that requests may take to reach the broker.
  ///
  /// NB: pings wait behind them. Without this time, a large request on a slow network would be sent again and again.
  private func rounds(toSend byteCount: Int) -> Int {
    byteCount / Self.slowestBytesPerSecond * 1000 / roundMilliseconds
  }
}
