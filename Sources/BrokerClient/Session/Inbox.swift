import Records

/// A bounded buffer between a stream's connection and the program that reads it.
///
/// When the buffer is full, the session stops reading the socket, and the broker stops sending. Once the
/// program has read half of the buffer, the session reads the socket again, and the broker continues with
/// stored data. A stream has one reader at a time.
struct Inbox {
  typealias Next = Result<BrokerMessage?, RecordsError>

  /// The number of buffered messages at which the session stops reading the socket.
  static let messagesMaximum = 16

  private var messages: [BrokerMessage] = []
  private var finishError: RecordsError?
  private var reader: CheckedContinuation<Next, Never>?
  /// Whether the session has stopped reading the socket because the buffer is full.
  private(set) var isPaused = false

  /// Delivers a message to the reader, or buffers it. Returns `true` if the buffer has just become full
  /// and the caller must stop reading the socket.
  mutating func deliver(_ message: BrokerMessage) -> Bool {
    if reader != nil {
      resumeReader(with: .success(message))
      return false
    }
    messages.append(message)
    guard messages.count >= Self.messagesMaximum, !isPaused else { return false }
    isPaused = true
    return true
  }

  /// Removes and returns the next buffered message. Returns `nil` if the reader must wait, and
  /// `.some(nil)` after the task was cancelled or the session was closed.
  /// - Throws: the error that ended the stream, once the buffer is empty.
  mutating func take() throws(RecordsError) -> BrokerMessage?? {
    if !messages.isEmpty { return messages.removeFirst() }
    guard let finishError else { return nil }
    if finishError.code == .operationCancelled { return .some(nil) }
    throw finishError
  }

  /// Returns `true` if the session had stopped reading the socket and must start again, because half of
  /// the buffer is free.
  mutating func resumeIfDrained() -> Bool {
    guard isPaused, messages.count <= Self.messagesMaximum / 2 else { return false }
    isPaused = false
    return true
  }

  /// Stores the continuation of a waiting reader. The next message resumes it.
  mutating func wait(_ continuation: CheckedContinuation<Next, Never>) {
    reader = continuation
  }

  /// Resumes the waiting reader, if there is one.
  mutating func resumeReader(with result: Next) {
    reader?.resume(returning: result)
    reader = nil
  }

  /// Notes that the connection was replaced; the new socket is being read.
  mutating func reconnected() {
    isPaused = false
  }

  /// Ends the stream with `error`. Only the first error counts.
  mutating func finish(with error: RecordsError) {
    guard finishError == nil else { return }
    finishError = error
    resumeReader(with: error.code == .operationCancelled ? .success(nil) : .failure(error))
  }
}
