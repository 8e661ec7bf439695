/// The answers that a server owes, in order.
struct AwaitedAnswers {
  /// What was sent.
  enum Request {
    case preparation(PreparedForm)
    case statement
    /// A statement whose answer is kept until the segment ends.
    case question
    case sync
  }

  private var requests: [Request] = []
  private var answered = 0

  var isEmpty: Bool { answered == requests.count }
  var count: Int { requests.count - answered }
  var first: Request? { isEmpty ? nil : requests[answered] }

  mutating func append(_ request: Request) {
    requests.append(request)
  }

  mutating func removeFirst() {
    guard !isEmpty else { return }
    answered += 1
    // The answered ones are removed many at a time, because removing at the front moves all others.
    guard isEmpty || answered >= 512 else { return }
    requests.removeFirst(answered)
    answered = 0
  }

  mutating func removeAll() {
    requests.removeAll()
    answered = 0
  }
}
