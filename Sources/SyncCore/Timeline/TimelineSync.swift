// How records of the public database come to a device (T5). They have no feed: a run sends what waits
// here, then reads all records of each type by queries, page by page, then asks by name for whatever
// was here and was not found, and takes it away only when the broker says that it is gone. There is
// one run at a time; who asks during one gets one more behind it. A connection that breaks ends a
// run where it is, and the next connection begins another: nothing is taken away by half a run, and
// a record that comes twice is known the second time by its tag.

import Records

/// The reading of the public database.
package struct TimelineSync: Sendable {
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
  package mutating func refreshTimeline(id: UInt64? = nil) -> [SyncStep] {
    guard !timeline.types.isEmpty else {
      return id.map { [.answered(id: $0, isWhole: false)] } ?? []
    }
    timeline.isWanted = true
    if let id { timeline.waitingNext.append(id) }
    return beginTimeline()
  }

  /// Nobody waits under this id any more.
  package mutating func forget(timeline id: UInt64) {
    timeline.waiting.removeAll { $0 == id }
    timeline.waitingNext.removeAll { $0 == id }
  }

  /// Begins a run if one is wanted and none is under way. Nobody would tell of what is posted behind a
  /// reading that begins before the broker knows that this device wants to be told.
  mutating func beginTimeline() -> [SyncStep] {
    guard timeline.isWanted, timeline.stage == .idle, connection == .ready, notifications.isSure
    else { return [] }
    timeline.isWanted = false
    timeline.stage = .sending
    timeline.waiting += timeline.waitingNext
    timeline.waitingNext = []
    return [.timelineBegan]
  }

  /// Whether a run waits for the outbox.
  package var isSendingTimeline: Bool { timeline.stage == .sending && connection == .ready }

  /// What was to be sent is sent, or waits for something that may take long.
  package mutating func sentTimeline() -> [SyncStep] {
    guard isSendingTimeline else { return [] }
    timeline.knowsHistory = false
    return [.markTimeline, read(type: 0, cursor: nil)]
  }

  private mutating func read(type: Int, cursor: [UInt8]?) -> SyncStep {
    let id = freshID()
    timeline.stage = .reading(type: type, request: id)
    return .send(
      id: id,
      .query(
        QueryForm(
          database: .public, type: timeline.types[type], predicate: PredicateText("TRUEPREDICATE"),
          cursor: cursor)))
  }

  mutating func found(_ page: FoundPage, replyTo: UInt64) -> [SyncStep] {
    guard case .reading(let type, let request) = timeline.stage, request == replyTo else {
      return []
    }
    var steps: [SyncStep] = []
    // The run's first page tells: a broker that is put back meanwhile ends the connection.
    if type == 0, !timeline.knowsHistory, let history = page.incarnation {
      timeline.knowsHistory = true
      steps.append(.noteTimelineHistory(history))
    }
    let changes = page.records.filter(\.zone.isPublic).map(\.change)
    if !changes.isEmpty { steps.append(.keepFound(changes)) }
    if let cursor = page.cursor { return steps + [read(type: type, cursor: cursor)] }
    if type + 1 < timeline.types.count { return steps + [read(type: type + 1, cursor: nil)] }
    timeline.stage = .seeking
    return steps + [.seekMissing]
  }

  /// Asks for records by name: those that a run did not find. Without any the run is over.
  package mutating func seek(
    _ names: [RecordName], using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard timeline.stage == .seeking else { return [] }
    guard !names.isEmpty else { return [.endTimeline] + endRun(.done) }
    // NB: an answer that changed nothing would be asked for for ever, at the pace of round trips.
    guard names != timeline.sought else { return tryAgain(because: nil, using: &generator) }
    timeline.sought = names
    return [ask(names, isOfRun: true)]
  }

  /// How many names to look for at once.
  package static let missingPerLook = TimelineSync.namesPerQuestion

  /// Somebody was told that these records changed: they are asked for.
  mutating func fetchTimeline(_ names: [RecordName]) -> [SyncStep] {
    guard !timeline.types.isEmpty, !names.isEmpty else { return [] }
    return stride(from: 0, to: names.count, by: TimelineSync.namesPerQuestion).map { start in
      ask(Array(names[start...].prefix(TimelineSync.namesPerQuestion)), isOfRun: false)
    }
  }

  private mutating func ask(_ names: [RecordName], isOfRun: Bool) -> SyncStep {
    let id = freshID()
    timeline.questions[id] = TimelineSync.Question(names: names, isOfRun: isOfRun)
    return .send(id: id, .fetch(names.map { RecordID(zone: .public, name: $0) }))
  }

  mutating func fetched(_ changes: [Change?], replyTo: UInt64) -> [SyncStep] {
    guard let question = timeline.questions.removeValue(forKey: replyTo) else { return [] }
    let states = zip(question.names, changes).map { NamedState(name: $0, change: $1) }
    return [.keepFetched(states)] + goOnSeeking(behind: question)
  }

  /// The run looks for more once all its questions are answered.
  private func goOnSeeking(behind question: TimelineSync.Question) -> [SyncStep] {
    let isOver = !timeline.questions.values.contains(where: \.isOfRun)
    return question.isOfRun && isOver && timeline.stage == .seeking ? [.seekMissing] : []
  }

  /// A question of the reading was refused; `nil` when it was something else's.
  mutating func refusedTimeline(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    if let question = timeline.questions.removeValue(forKey: replyTo) {
      if error.isOfRecords { return askInParts(question, error) }
      guard question.isOfRun else { return refreshTimeline() }
    } else if case .reading(_, let request) = timeline.stage, request == replyTo {
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
    _ question: TimelineSync.Question, _ error: RecordsError
  ) -> [SyncStep] {
    let culprit = error.record.flatMap { question.names.contains($0) ? $0 : nil }
    guard question.names.count > 1 else {
      return [.passTimeline(question.names)] + goOnSeeking(behind: question)
    }
    if let culprit {
      let rest = question.names.filter { $0 != culprit }
      return [.passTimeline([culprit]), ask(rest, isOfRun: question.isOfRun)]
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
    let drawn = timeline.backoff.nextMilliseconds(using: &generator)
    let asked = (error?.retryAfterSeconds ?? 0) * 1000
    timeline.isWanted = true
    timeline.waitingNext = timeline.waiting + timeline.waitingNext
    timeline.waiting = []
    return endRun(.interrupted, beginsNext: false)
      + [.wait(.timeline, milliseconds: max(drawn, asked))]
  }

  private mutating func endRun(
    _ ending: TimelineSync.Ending, beginsNext: Bool = true
  ) -> [SyncStep] {
    timeline.stage = .idle
    timeline.sought = []
    timeline.questions = timeline.questions.filter { !$0.value.isOfRun }
    if ending == .done { timeline.backoff.reset() }
    let told = timeline.waiting.map { SyncStep.answered(id: $0, isWhole: ending == .done) }
    timeline.waiting = []
    return [.timelineEnded(ending)] + told + (beginsNext ? beginTimeline() : [])
  }

  /// The connection is gone, and with it all answers; the next one begins a run of its own, for which
  /// waits whoever waited.
  mutating func interruptTimeline() -> [SyncStep] {
    timeline.questions = [:]
    guard !timeline.types.isEmpty else { return [] }
    let wasRunning = timeline.isRunning
    timeline.isWanted = true
    timeline.waitingNext = timeline.waiting + timeline.waitingNext
    timeline.waiting = []
    timeline.sought = []
    timeline.stage = .idle
    return wasRunning ? [.timelineEnded(.interrupted)] : []
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
