import Records

/// The callers that wait for answers of one kind.
struct AnswerWaits<Answer: Sendable> {
  /// A wait for one answer. The stream ends with the wait.
  typealias Wait = (id: UInt64, answers: AsyncStream<Answer>)

  /// The maximum number of waits at a time.
  let limit: Int
  private var waiting: [UInt64: AsyncStream<Answer>.Continuation] = [:]
  private var lastID: UInt64 = 0
  private var isEnded = false

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of waits.
  var count: Int { waiting.count }

  /// Begins a wait. After `endAll`, its stream is already at its end.
  /// - Throws: `requestRateLimited` if the limit is reached.
  mutating func begin() throws(RecordsError) -> Wait {
    guard waiting.count < limit else { throw .tooManyWaits(limit: limit) }
    lastID += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: Answer.self, bufferingPolicy: .bufferingNewest(1))
    if isEnded { continuation.finish() } else { waiting[lastID] = continuation }
    return (lastID, stream)
  }

  /// Delivers an answer. Ignored if its wait has ended.
  func answer(_ id: UInt64, _ answer: Answer) { waiting[id]?.yield(answer) }

  /// Ends a wait, also one that was answered.
  mutating func end(_ id: UInt64) { waiting.removeValue(forKey: id)?.finish() }

  /// Ends all waits, and those that begin later.
  mutating func endAll() {
    isEnded = true
    for continuation in waiting.values { continuation.finish() }
    waiting = [:]
  }
}

extension RecordsError {
  /// The error of a caller that would be one more than may wait.
  static func tooManyWaits(limit: Int) -> RecordsError {
    RecordsError(
      .requestRateLimited,
      "Too many pending requests to the broker; the limit is \(limit).",
      hint: "Try again.", retryAfterSeconds: 1)
  }
}
