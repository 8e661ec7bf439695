import NIOCore
import Records
import RecordsWire

/// Calls that wait for an answer from the broker, and the frames that were sent for them.
///
/// A call outlives a connection, but the id of a frame is valid on one connection only. When the
/// connection is lost, all frames are dropped. The session sends each call again in a new frame.
struct PendingCalls {
  typealias Answer = Result<BrokerMessage, RecordsError>

  /// The maximum number of calls without an answer. Further reads throw `requestRateLimited`.
  static let maximum = 1024

  /// What a call waits for.
  enum Awaited {
    case welcome
    /// The outcome of a modify request, which the outbox holds.
    case outcome
    /// The answer to a message, which is sent again on each connection.
    case answer(to: ClientMessage)
  }

  private struct Call {
    let awaited: Awaited
    let continuation: CheckedContinuation<Answer, Never>
    let deadline: Scheduled<Void>
  }

  private var calls: [UInt64: Call] = [:]
  private var lastCall: UInt64 = 0
  /// The call of each frame sent on this connection, by the frame's number.
  private var frames: [UInt64: UInt64] = [:]

  var isEmpty: Bool { calls.isEmpty }
  var isFull: Bool { calls.count >= Self.maximum }
  /// The waiting calls, oldest first.
  var all: [UInt64] { calls.keys.sorted() }
  /// The messages to send again after a reconnection, oldest first.
  var unansweredMessages: [(call: UInt64, message: ClientMessage)] {
    all.compactMap { call in message(of: call).map { (call, $0) } }
  }
  /// The calls that wait for the welcome.
  var awaitingWelcome: [UInt64] {
    all.filter { if case .welcome = calls[$0]?.awaited { true } else { false } }
  }

  func contains(_ call: UInt64) -> Bool { calls[call] != nil }

  /// The message of a waiting call; `nil` for a modify request, or once the call has its answer.
  func message(of call: UInt64) -> ClientMessage? {
    if case .answer(let message) = calls[call]?.awaited { message } else { nil }
  }

  /// Whether a frame was sent for `call` on this connection.
  func isSent(_ call: UInt64) -> Bool { frames.values.contains(call) }

  /// Returns a number for a call.
  mutating func freshCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }

  mutating func add(
    _ call: UInt64, _ awaited: Awaited, _ continuation: CheckedContinuation<Answer, Never>,
    deadline: Scheduled<Void>
  ) {
    calls[call] = Call(awaited: awaited, continuation: continuation, deadline: deadline)
  }

  /// Resumes the task that waits for `call`. Does nothing if the call was cancelled or timed out.
  mutating func answer(_ call: UInt64, _ answer: Answer) {
    guard let waiting = calls.removeValue(forKey: call) else { return }
    waiting.deadline.cancel()
    waiting.continuation.resume(returning: answer)
  }

  /// Notes that `frame` is sent for `call`.
  mutating func send(_ frame: UInt64, for call: UInt64) {
    frames[frame] = call
  }

  /// Removes a frame whose answer arrived and returns its call; `nil` if the frame was not sent for a
  /// call, or was dropped.
  mutating func removeFrame(_ frame: UInt64) -> UInt64? {
    frames.removeValue(forKey: frame)
  }

  /// Drops all frames after the connection was lost.
  mutating func dropFrames() {
    frames = [:]
  }
}
