// Synchronizes the public database, which has no change feed (T5). One run has three stages: send pending edits;
// query all records of each type, page by page; fetch by name the local records that no page contained, and delete
// those that the broker does not have. Only one run is active; a request during a run schedules one more. If the
// connection breaks, the run ends and the next connection starts a new one. An interrupted run deletes nothing, and
// change tags make repeated records harmless.

import Records

/// The state of the synchronization of the public database.
package struct PublicDatabaseSync: Sendable {
  /// The stage of a run.
  package enum Stage: Hashable, Sendable {
    /// No run is active.
    case idle
    /// The run sends pending edits.
    case sending
    /// The run queries the records of a type; `request` is the message whose answer is the next page.
    case reading(type: Int, request: UInt64)
    /// The run fetches by name the local records that no query found.
    case verifyingMissing
  }

  /// The outcome of a run.
  package enum Outcome: Hashable, Sendable {
    /// All records were read.
    case done
    /// The run failed for a temporary reason and is repeated automatically.
    case interrupted
    /// The broker rejected the run.
    case refused(RecordsError)
  }

  /// The maximum number of names in one fetch.
  static let namesPerFetch = 100

  /// The types to read, in this order; empty if the device does not follow the public database.
  package let types: [RecordType]
  /// The stage of the current run.
  package internal(set) var stage = Stage.idle
  /// Whether another run follows the current one.
  package internal(set) var isWanted = false

  /// The requests to complete when the current run ends, and when the next one ends.
  var waiting: [UInt64] = []
  var waitingNext: [UInt64] = []
  /// Whether the current run knows the incarnation of the history that it reads.
  var knowsHistory = false
  /// The unanswered fetches, by the correlation numbers of their messages.
  var fetches: [UInt64: Fetch] = [:]
  /// The missing records that the current run fetched last.
  var lastMissing: [RecordName] = []
  var backoff = Backoff()

  /// Records that are fetched by name.
  struct Fetch: Hashable, Sendable {
    let names: [RecordName]
    /// Whether the fetch belongs to a run. Otherwise a notification caused it.
    let isOfRun: Bool
  }

  /// Creates an idle state that reads records of these types.
  package init(types: [RecordType] = []) {
    self.types = types
  }

  /// Whether a run is active.
  package var isRunning: Bool { stage != .idle }

  /// Whether records that a notification named are being fetched.
  package var isFetching: Bool { fetches.values.contains { !$0.isOfRun } }
}

extension SyncMachine {
  /// Starts a run, or schedules one after the current run.
  /// - Parameter id: identifies the `answered(id)` step of the end of the first run that begins after this call.
  ///   `isWhole` is true if that run reads all records. An id is used once.
  package mutating func refreshPublicRecords(id: UInt64? = nil) -> [SyncStep] {
    guard !publicReading.types.isEmpty else {
      return id.map { [.action(.answered(id: $0, isWhole: false))] } ?? []
    }
    publicReading.isWanted = true
    if let id { publicReading.waitingNext.append(id) }
    return beginPublicReading()
  }

  /// Cancels the request with this id. Runs are not affected.
  package mutating func forget(refresh id: UInt64) {
    publicReading.waiting.removeAll { $0 == id }
    publicReading.waitingNext.removeAll { $0 == id }
  }

  /// Starts a scheduled run if none is active.
  ///
  /// A run waits until the broker sends notifications to this device. Otherwise the device would miss records that are
  /// created while the run reads.
  mutating func beginPublicReading() -> [SyncStep] {
    guard publicReading.isWanted, publicReading.stage == .idle, conversation.isReady,
      notifications.coversFutureChanges
    else { return [] }
    publicReading.isWanted = false
    publicReading.stage = .sending
    publicReading.waiting += publicReading.waitingNext
    publicReading.waitingNext = []
    return [.action(.publicReadingBegan)]
  }

  /// Whether a run is in its first stage and waits for the outbox.
  package var isSendingPublicRecords: Bool {
    publicReading.stage == .sending && conversation.isReady
  }

  /// Ends the first stage of a run: the pending edits are sent, or wait for something that may take long.
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
    // The first page suffices: a broker that is restored during the run ends the connection.
    if type == 0, !publicReading.knowsHistory, let history = page.incarnation {
      publicReading.knowsHistory = true
      steps.append(.store(.notePublicHistory(history)))
    }
    let changes = page.records.filter(\.zone.isPublic).map(\.change)
    if !changes.isEmpty { steps.append(.store(.storeFound(changes))) }
    if let cursor = page.cursor { return steps + [read(type: type, cursor: cursor)] }
    if type + 1 < publicReading.types.count { return steps + [read(type: type + 1, cursor: nil)] }
    publicReading.stage = .verifyingMissing
    return steps + [.store(.findMissing)]
  }

  /// Fetches by name records that a run did not find, or ends the run if there are none.
  package mutating func fetchMissing(
    _ names: [RecordName], using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard publicReading.stage == .verifyingMissing else { return [] }
    guard !names.isEmpty else {
      // NB: the broker may have read what a notification named before it carried out a deletion of this device.
      return [.store(.endPublicReading(keepsDeletions: publicReading.isFetching))] + endRun(.done)
    }
    // NB: without this check, a fetch whose answer changes nothing would be repeated without end.
    guard names != publicReading.lastMissing else {
      return tryAgain(because: nil, using: &generator)
    }
    publicReading.lastMissing = names
    return [fetch(names, isOfRun: true)]
  }

  /// The maximum number of missing records to fetch at once.
  package static let missingPerFetch = PublicDatabaseSync.namesPerFetch

  /// Fetches records that a notification named.
  mutating func fetchPublicRecords(_ names: [RecordName]) -> [SyncStep] {
    guard !publicReading.types.isEmpty, !names.isEmpty else { return [] }
    return stride(from: 0, to: names.count, by: PublicDatabaseSync.namesPerFetch).map { start in
      fetch(Array(names[start...].prefix(PublicDatabaseSync.namesPerFetch)), isOfRun: false)
    }
  }

  private mutating func fetch(_ names: [RecordName], isOfRun: Bool) -> SyncStep {
    let id = freshID()
    publicReading.fetches[id] = PublicDatabaseSync.Fetch(names: names, isOfRun: isOfRun)
    return .send(id: id, .fetch(names.map { RecordID(zone: .public, name: $0) }))
  }

  mutating func fetched(_ changes: [Change?], replyTo: UInt64) -> [SyncStep] {
    guard let fetch = publicReading.fetches.removeValue(forKey: replyTo) else { return [] }
    let states = zip(fetch.names, changes).map { NamedState(name: $0, change: $1) }
    return [.store(.storeFetched(states, isOfRun: fetch.isOfRun))] + continueVerifying(after: fetch)
  }

  /// Looks for more missing records once all fetches of the run are answered.
  private func continueVerifying(after fetch: PublicDatabaseSync.Fetch) -> [SyncStep] {
    let isOver = !publicReading.fetches.values.contains(where: \.isOfRun)
    return fetch.isOfRun && isOver && publicReading.stage == .verifyingMissing
      ? [.store(.findMissing)] : []
  }

  /// Handles the rejection of a query or fetch. Returns `nil` if the broker rejected another message.
  mutating func refusedPublicReading(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    if let fetch = publicReading.fetches.removeValue(forKey: replyTo) {
      if error.isOfRecords { return fetchInParts(fetch, error) }
      guard fetch.isOfRun else { return refreshPublicRecords() }
    } else if case .reading(_, let request) = publicReading.stage, request == replyTo {
    } else {
      return nil
    }
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    guard error.isTemporary else { return endRun(.refused(error)) }
    return tryAgain(because: error, using: &generator)
  }

  /// Repeats a fetch in parts, because one of its records cannot be sent or all of them together are too large. A
  /// record that cannot be fetched alone stays as it is.
  private mutating func fetchInParts(
    _ whole: PublicDatabaseSync.Fetch, _ error: RecordsError
  ) -> [SyncStep] {
    let culprit = error.record.flatMap { whole.names.contains($0) ? $0 : nil }
    guard whole.names.count > 1 else {
      return [.store(.skipPublicRecords(whole.names))] + continueVerifying(after: whole)
    }
    if let culprit {
      let rest = whole.names.filter { $0 != culprit }
      return [.store(.skipPublicRecords([culprit])), fetch(rest, isOfRun: whole.isOfRun)]
    }
    let half = whole.names.count / 2
    return [
      fetch(Array(whole.names[..<half]), isOfRun: whole.isOfRun),
      fetch(Array(whole.names[half...]), isOfRun: whole.isOfRun),
    ]
  }

  /// Ends the run and starts another one after a delay. The requests that waited for the run wait for the next one.
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
    _ outcome: PublicDatabaseSync.Outcome, beginsNext: Bool = true
  ) -> [SyncStep] {
    publicReading.stage = .idle
    publicReading.lastMissing = []
    publicReading.fetches = publicReading.fetches.filter { !$0.value.isOfRun }
    if outcome == .done { publicReading.backoff.reset() }
    let answers = publicReading.waiting.map {
      SyncStep.action(.answered(id: $0, isWhole: outcome == .done))
    }
    publicReading.waiting = []
    return [.action(.publicReadingEnded(outcome))] + answers
      + (beginsNext ? beginPublicReading() : [])
  }

  /// Ends the run because the connection ended. The next connection starts another one, and the requests that waited
  /// for this run wait for that one.
  mutating func interruptPublicReading() -> [SyncStep] {
    publicReading.fetches = [:]
    guard !publicReading.types.isEmpty else { return [] }
    let wasRunning = publicReading.isRunning
    publicReading.isWanted = true
    publicReading.waitingNext = publicReading.waiting + publicReading.waitingNext
    publicReading.waiting = []
    publicReading.lastMissing = []
    publicReading.stage = .idle
    return wasRunning ? [.action(.publicReadingEnded(.interrupted))] : []
  }
}

extension RecordsError {
  /// Whether the error depends on the records that were fetched together. A fetch of fewer records may succeed.
  fileprivate var isOfRecords: Bool {
    code == .limitExceeded || code == .internalError && reason == "damaged"
  }
}

/// The broker's state of a record that was fetched by name.
package struct NamedState: Hashable, Sendable {
  /// The record.
  package let name: RecordName
  /// Its state; `nil` if the broker does not have the record.
  package let change: Change?

  package init(name: RecordName, change: Change?) {
    self.name = name
    self.change = change
  }
}
