// What came of a followed stream and nobody took yet. Bounded: beyond that the socket is not read, and
// the broker goes on from its disk when there is room again. One reader at a time.

import Records

/// A stream between the connection and the program.
struct Inbox {
  typealias Next = Result<BrokerMessage?, RecordError>

  /// Messages that nobody took yet.
  static let messagesMaximum = 16

  private var messages: [BrokerMessage] = []
  private var ending: RecordError?
  private var reader: CheckedContinuation<Next, Never>?
  /// Whether the socket is not read because nobody takes what is there.
  private(set) var isPaused = false

  /// Takes in a message. Returns whether the socket is not to be read any more.
  mutating func deliver(_ message: BrokerMessage) -> Bool {
    if reader != nil {
      wake(with: .success(message))
      return false
    }
    messages.append(message)
    guard messages.count >= Self.messagesMaximum, !isPaused else { return false }
    isPaused = true
    return true
  }

  /// The next message that is there; `nil` where one has to wait.
  /// - Throws: what ended the stream, once everything before it was taken. `nil` within means that the
  ///   task was cancelled or the session closed.
  mutating func take() throws(RecordError) -> BrokerMessage?? {
    if !messages.isEmpty { return messages.removeFirst() }
    guard let ending else { return nil }
    if ending.code == .operationCancelled { return .some(nil) }
    throw ending
  }

  /// Whether there is room again behind a socket that is not read; then it is.
  mutating func resumes() -> Bool {
    guard isPaused, messages.count <= Self.messagesMaximum / 2 else { return false }
    isPaused = false
    return true
  }

  /// Waits for the next message.
  mutating func wait(_ continuation: CheckedContinuation<Next, Never>) {
    reader = continuation
  }

  /// Gives whoever waits something else than a message.
  mutating func wake(with result: Next) {
    reader?.resume(returning: result)
    reader = nil
  }

  /// A new connection is read.
  mutating func reconnected() {
    isPaused = false
  }

  /// Nothing comes any more; the first reason counts.
  mutating func end(because error: RecordError) {
    guard ending == nil else { return }
    ending = error
    wake(with: error.code == .operationCancelled ? .success(nil) : .failure(error))
  }
}
