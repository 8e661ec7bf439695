// Questions about the past, which only the broker can answer whole: what a record was before this
// device knew it, what was deleted before it came. An answer is kept, page by page, and read from
// the device's own copy like everything else; without a broker the copy is the answer.

import Records

/// Something to be asked of the broker.
package enum PastQuestion: Hashable, Sendable {
  /// The earlier states of a record.
  case history(RecordID)
  /// The deleted records of a zone.
  case trash(ZoneID)

  func message(below: Revision?) -> ClientMessage {
    switch self {
    case .history(let record): .history(record, below: below)
    case .trash(let zone): .trash(zone, below: below)
    }
  }
}

extension SyncMachine {
  /// A question on its way.
  struct Asking: Hashable, Sendable {
    /// Who asked.
    let id: UInt64
    let question: PastQuestion
    let page: Int
  }

  /// The pages that one question may take; nobody reads further by hand.
  static let pagesPerQuestion = 20

  /// Asks. The answer is `answered(id)`, at once when there is no broker to ask.
  /// - Parameter id: used once.
  package mutating func ask(_ question: PastQuestion, id: UInt64) -> [SyncStep] {
    guard conversation.isReady else { return [.action(.answered(id: id, isWhole: false))] }
    return send(Asking(id: id, question: question, page: 1), below: nil)
  }

  private mutating func send(_ asking: Asking, below: Revision?) -> [SyncStep] {
    let id = freshID()
    answers.questions[id] = asking
    return [.send(id: id, asking.question.message(below: below))]
  }

  mutating func answered(_ page: HistoryPage, replyTo: UInt64) -> [SyncStep] {
    guard let asking = answers.questions.removeValue(forKey: replyTo),
      case .history(let record) = asking.question
    else { return [] }
    let next = page.isWhole ? nil : page.states.last?.change.tag
    return [.store(.storeHistory(record, page))] + goOn(asking, below: next)
  }

  mutating func answered(_ page: TrashPage, replyTo: UInt64) -> [SyncStep] {
    guard let asking = answers.questions.removeValue(forKey: replyTo),
      case .trash(let zone) = asking.question
    else { return [] }
    return [.store(.storeTrash(zone, page))] + goOn(asking, below: page.next)
  }

  private mutating func goOn(_ asking: Asking, below: Revision?) -> [SyncStep] {
    guard let below else { return [.action(.answered(id: asking.id, isWhole: true))] }
    guard asking.page < Self.pagesPerQuestion else {
      return [.action(.answered(id: asking.id, isWhole: false))]
    }
    return send(
      Asking(id: asking.id, question: asking.question, page: asking.page + 1), below: below)
  }

  /// The broker refused a question; `nil` when it was none.
  mutating func refusedQuestion(_ replyTo: UInt64) -> [SyncStep]? {
    answers.questions.removeValue(forKey: replyTo).map {
      [.action(.answered(id: $0.id, isWhole: false))]
    }
  }

  /// The connection is gone, and with it all answers.
  mutating func endQuestions() -> [SyncStep] {
    defer { answers.questions = [:] }
    return answers.questions.values.map(\.id).sorted().map {
      .action(.answered(id: $0, isWhole: false))
    }
  }
}
