// How a device reads the public database (T5), which has no feed. A run first sends what waits in the outbox.
// Then it reads all records of each type by queries, page by page. Then it fetches by name the records of the
// device that no query found; a record is removed only when the broker answers that it does not exist. There is
// one run at a time, and a request during a run starts another one after it. A connection that ends also ends
// its run, and the next connection starts a new one. An interrupted run removes nothing, and a record that is
// read twice is recognized by its tag.

import Records

/// The reading of the public database.
package struct PublicReading: Sendable {
  /// How a run stands.
  package enum Stage: Hashable, Sendable {
    /// None is under way.
    case idle
    /// What waits here is sent first.
    case sending
    /// The records of a type are read; `request` is the message whose answer is the next page.
    case reading(type: Int, request: UInt64)
    /// What was not found is asked for by name.
    case seeking
  }

  /// What a run came to.
  package enum Ending: Hashable, Sendable {
    /// Everything was read.
    case done
    /// It will be tried again by itself.
    case interrupted
    /// The broker will not, for this reason.
    case refused(RecordsError)
  }

  /// Names asked for in one question.
  static let namesPerQuestion = 100

  /// The types that are read, in this order; none where the public database is not followed.
  package let types: [RecordType]
  /// How the run stands.
  package internal(set) var stage = Stage.idle
  /// Whether another run is wanted behind it.
  package internal(set) var isWanted = false

  /// Who waits for the run under way, and for the next one.
  var waiting: [UInt64] = []
  var waitingNext: [UInt64] = []
  /// Whether the run has heard of which history it reads.
  var knowsHistory = false
  /// Questions by name, by the numbers of their messages.
  var questions: [UInt64: Question] = [:]
  /// What the run asked for last of what it did not find.
  var sought: [RecordName] = []
  var backoff = Backoff()

  /// Records asked for by name.
  struct Question: Hashable, Sendable {
    let names: [RecordName]
    /// Whether the run waits for the answer, and not somebody who was told of a change.
    let isOfRun: Bool
  }

  /// A reading of records of these types.
  package init(types: [RecordType] = []) {
    self.types = types
  }

  /// Whether a run is under way.
  package var isRunning: Bool { stage != .idle }

  /// Whether records that somebody was told of are on their way.
  package var isFetching: Bool { questions.values.contains { !$0.isOfRun } }
}

extension SyncMachine {
  /// Wants a run: begins one, or has one more follow the one under way.
  /// - Parameter id: for `answered(id)` when a run that began from now on is over, whole if it read
  ///   everything; used once.
  package mutating func refreshPublicRecords(id: UInt64? = nil) -> [SyncStep] {
    guard !publicReading.types.isEmpty else {
      return id.map { [.action(.answered(id: $0, isWhole: false))] } ?? []
    }
    publicReading.isWanted = true
    if let id { publicReading.waitingNext.append(id) }
    return beginPublicReading()
  }

  /// Nobody waits under this id any more.
  package mutating func forget(refresh id: UInt64) {
    publicReading.waiting.removeAll { $0 == id }
    publicReading.waitingNext.removeAll { $0 == id }
  }

  /// Begins a run if one is wanted and none is under way. Nobody would tell of what is posted behind a
  /// reading that begins before the broker knows that this device wants to be told.
  mutating func beginPublicReading() -> [SyncStep] {
    guard publicReading.isWanted, publicReading.stage == .idle, conversation.isReady,
      notifications.isSure
    else { return [] }
    publicReading.isWanted = false
    publicReading.stage = .sending
    publicReading.waiting += publicReading.waitingNext
    publicReading.waitingNext = []
    return [.action(.publicReadingBegan)]
  }

  /// Whether a run waits for the outbox.
  package var isSendingPublicRecords: Bool {
    publicReading.stage == .sending && conversation.isReady
  }

  /// What was to be sent is sent, or waits for something that may take long.
  package mutating func sentPublicRecords() -> [SyncStep] {
    guard isSendingPublicRecords else { return [] }
    publicReading.knowsHistory = false
    return [.store(.markPublicRecords), read(type: 0, cursor: nil)]
  }

  private mutating func read(type: Int, cursor: [UInt8]?) -> SyncStep {
    let id = freshID()
    publicReading.stage = .reading(type: type, request: id)
    return .send(
      id: id,
      .query(
        QueryForm(
          database: .public, type: publicReading.types[type],
          predicate: PredicateText("TRUEPREDICATE"),
          cursor: cursor)))
  }

  mutating func found(_ page: FoundPage, replyTo: UInt64) -> [SyncStep] {
    guard case .reading(let type, let request) = publicReading.stage, request == replyTo else {
      return []
    }
    var steps: [SyncStep] = []
    // The run's first page tells: a broker that is put back meanwhile ends the connection.
    if type == 0, !publicReading.knowsHistory, let history = page.incarnation {
      publicReading.knowsHistory = true
      steps.append(.store(.notePublicHistory(history)))
    }
    let changes = page.records.filter(\.zone.isPublic).map(\.change)
    if !changes.isEmpty { steps.append(.store(.storeFound(changes))) }
    if let cursor = page.cursor { return steps + [read(type: type, cursor: cursor)] }
    if type + 1 < publicReading.types.count { return steps + [read(type: type + 1, cursor: nil)] }
    publicReading.stage = .seeking
    return steps + [.store(.findMissing)]
  }

  /// Asks for records by name: those that a run did not find. Without any the run is over.
  package mutating func seek(
    _ names: [RecordName], using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard publicReading.stage == .seeking else { return [] }
    guard !names.isEmpty else { return [.store(.endPublicReading)] + endRun(.done) }
    // NB: an answer that changed nothing would be asked for for ever, at the pace of round trips.
    guard names != publicReading.sought else { return tryAgain(because: nil, using: &generator) }
    publicReading.sought = names
    return [ask(names, isOfRun: true)]
  }

  /// How many names to look for at once.
  package static let missingPerLook = PublicReading.namesPerQuestion

  /// Somebody was told that these records changed: they are asked for.
  mutating func fetchPublicRecords(_ names: [RecordName]) -> [SyncStep] {
    guard !publicReading.types.isEmpty, !names.isEmpty else { return [] }
    return stride(from: 0, to: names.count, by: PublicReading.namesPerQuestion).map { start in
      ask(Array(names[start...].prefix(PublicReading.namesPerQuestion)), isOfRun: false)
    }
  }

  private mutating func ask(_ names: [RecordName], isOfRun: Bool) -> SyncStep {
    let id = freshID()
    publicReading.questions[id] = PublicReading.Question(names: names, isOfRun: isOfRun)
    return .send(id: id, .fetch(names.map { RecordID(zone: .public, name: $0) }))
  }

  mutating func fetched(_ changes: [Change?], replyTo: UInt64) -> [SyncStep] {
    guard let question = publicReading.questions.removeValue(forKey: replyTo) else { return [] }
    let states = zip(question.names, changes).map { NamedState(name: $0, change: $1) }
    return [.store(.storeFetched(states))] + goOnSeeking(behind: question)
  }

  /// The run looks for more once all its questions are answered.
  private func goOnSeeking(behind question: PublicReading.Question) -> [SyncStep] {
    let isOver = !publicReading.questions.values.contains(where: \.isOfRun)
    return question.isOfRun && isOver && publicReading.stage == .seeking
      ? [.store(.findMissing)] : []
  }

  /// A question of the reading was refused; `nil` when it was something else's.
  mutating func refusedPublicReading(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    if let question = publicReading.questions.removeValue(forKey: replyTo) {
      if error.isOfRecords { return askInParts(question, error) }
      guard question.isOfRun else { return refreshPublicRecords() }
    } else if case .reading(_, let request) = publicReading.stage, request == replyTo {
    } else {
      return nil
    }
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    guard error.isTemporary else { return endRun(.refused(error)) }
    return tryAgain(because: error, using: &generator)
  }

  /// One record of a question stands in the way of the others, or all are too much together: they
  /// are asked for in smaller numbers, and one that cannot be had alone stays as it is here.
  private mutating func askInParts(
    _ question: PublicReading.Question, _ error: RecordsError
  ) -> [SyncStep] {
    let culprit = error.record.flatMap { question.names.contains($0) ? $0 : nil }
    guard question.names.count > 1 else {
      return [.store(.skipPublicRecords(question.names))] + goOnSeeking(behind: question)
    }
    if let culprit {
      let rest = question.names.filter { $0 != culprit }
      return [.store(.skipPublicRecords([culprit])), ask(rest, isOfRun: question.isOfRun)]
    }
    let half = question.names.count / 2
    return [
      ask(Array(question.names[..<half]), isOfRun: question.isOfRun),
      ask(Array(question.names[half...]), isOfRun: question.isOfRun),
    ]
  }

  /// Ends the run where it is and begins another after a while, for which waits whoever waited.
  private mutating func tryAgain(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    let drawn = publicReading.backoff.nextMilliseconds(using: &generator)
    let asked = (error?.retryAfterSeconds ?? 0) * 1000
    publicReading.isWanted = true
    publicReading.waitingNext = publicReading.waiting + publicReading.waitingNext
    publicReading.waiting = []
    return endRun(.interrupted, beginsNext: false)
      + [.wait(.publicReading, milliseconds: max(drawn, asked))]
  }

  private mutating func endRun(
    _ ending: PublicReading.Ending, beginsNext: Bool = true
  ) -> [SyncStep] {
    publicReading.stage = .idle
    publicReading.sought = []
    publicReading.questions = publicReading.questions.filter { !$0.value.isOfRun }
    if ending == .done { publicReading.backoff.reset() }
    let told = publicReading.waiting.map {
      SyncStep.action(.answered(id: $0, isWhole: ending == .done))
    }
    publicReading.waiting = []
    return [.action(.publicReadingEnded(ending))] + told + (beginsNext ? beginPublicReading() : [])
  }

  /// The connection is gone, and with it all answers; the next one begins a run of its own, for which
  /// waits whoever waited.
  mutating func interruptPublicReading() -> [SyncStep] {
    publicReading.questions = [:]
    guard !publicReading.types.isEmpty else { return [] }
    let wasRunning = publicReading.isRunning
    publicReading.isWanted = true
    publicReading.waitingNext = publicReading.waiting + publicReading.waitingNext
    publicReading.waiting = []
    publicReading.sought = []
    publicReading.stage = .idle
    return wasRunning ? [.action(.publicReadingEnded(.interrupted))] : []
  }
}

extension RecordsError {
  /// Whether it says something of records that were asked for together, and nothing of the moment:
  /// fewer of them may be had.
  fileprivate var isOfRecords: Bool {
    code == .limitExceeded || code == .internalError && reason == "damaged"
  }
}

/// What the broker has of a record that was asked for by name; nothing where there is no such record.
package struct NamedState: Hashable, Sendable {
  /// The record.
  package let name: RecordName
  /// Its state.
  package let change: Change?

  /// The state of a record.
  package init(name: RecordName, change: Change?) {
    self.name = name
    self.change = change
  }
}
