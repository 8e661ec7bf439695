// Who waits for an answer, and which frame asked for it. A frame's number is of one connection; a call
// outlives it, so after a loss all frames are forgotten and the calls asked again.

import NIOCore
import Records
import RecordsWire

/// Questions and requests without an answer.
struct Calls {
  typealias Answer = Result<BrokerMessage, RecordError>

  /// Without an answer at a time. One more question is refused with `requestRateLimited`.
  static let maximum = 1024

  /// Somebody who waits; `message` is `nil` where the outbox has the question, or where the welcome is
  /// the answer.
  private struct Call {
    let message: ClientMessage?
    let continuation: CheckedContinuation<Answer, Never>
    let deadline: Scheduled<Void>
  }

  private var calls: [UInt64: Call] = [:]
  /// Which call a frame asked for.
  private var frames: [UInt64: UInt64] = [:]

  /// Whether nobody waits.
  var isEmpty: Bool { calls.isEmpty }
  /// Whether no more questions are taken.
  var isFull: Bool { calls.count >= Self.maximum }
  /// Who waits, the longest waiting first.
  var all: [UInt64] { calls.keys.sorted() }
  /// The questions without an answer, in the order in which they were asked.
  var questions: [(call: UInt64, message: ClientMessage)] {
    all.compactMap { call in calls[call]?.message.map { (call, $0) } }
  }

  /// Whether somebody waits for an answer to `call`.
  func contains(_ call: UInt64) -> Bool { calls[call] != nil }

  /// What `call` asks; `nil` where nobody waits any more, or the outbox has the question.
  func message(of call: UInt64) -> ClientMessage? { calls[call]?.message }

  /// Whether a frame that asks for `call` went out on this connection.
  func isSent(_ call: UInt64) -> Bool { frames.values.contains(call) }

  mutating func add(
    _ call: UInt64, _ message: ClientMessage?, _ continuation: CheckedContinuation<Answer, Never>,
    deadline: Scheduled<Void>
  ) {
    calls[call] = Call(message: message, continuation: continuation, deadline: deadline)
  }

  /// Gives whoever waits the answer; nothing happens where nobody does.
  mutating func answer(_ call: UInt64, _ answer: Answer) {
    guard let waiting = calls.removeValue(forKey: call) else { return }
    waiting.deadline.cancel()
    waiting.continuation.resume(returning: answer)
  }

  /// A frame that asks for `call` goes out.
  mutating func send(_ frame: UInt64, for call: UInt64) {
    frames[frame] = call
  }

  /// The call that a frame was sent for, which is answered now; `nil` for a frame of something else.
  mutating func answered(_ frame: UInt64) -> UInt64? {
    frames.removeValue(forKey: frame)
  }

  /// Does not listen to answers for these any more: they will be asked again.
  mutating func forgetFrames(of postponed: Set<UInt64>) {
    frames = frames.filter { !postponed.contains($0.value) }
  }

  /// The connection is lost, and with it every answer on its way.
  mutating func forgetFrames() {
    frames = [:]
  }
}
