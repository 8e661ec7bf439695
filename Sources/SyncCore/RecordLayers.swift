// What a device knows of one record: the last state known from the broker (ancestor), the edit that
// is under way (in flight), what people see (shown), and the newest foreign change that came while
// an edit was under way (held). What still has to be sent is never stored: it is the difference
// between shown and what is below it, so edits that were not sent yet coalesce by themselves, and
// an edit that ends where the broker is disappears.

import Records

/// One record's states on a device, and what each event makes of them.
package struct RecordLayers: Hashable, Sendable {
  /// An edit as it was frozen when it was first sent.
  package struct Frozen: Hashable, Sendable {
    /// The request that carries it.
    package let number: RequestNumber
    /// What the record will be if the broker takes it; `nil` for a deletion.
    package let fields: Fields?

    /// An edit in the request of this number.
    package init(number: RequestNumber, fields: Fields?) {
      self.number = number
      self.fields = fields
    }
  }

  /// The record's name.
  package let name: RecordName
  /// Its type.
  package var type: RecordType
  /// The last state known from the broker.
  package var ancestor: BrokerState
  /// The edit under way.
  package var inFlight: Frozen?
  /// What people see; `nil` when they see no such record.
  package var shown: Fields?
  /// The newest foreign change that came while the edit was under way.
  package var held: BrokerState?
  /// What the first run wrote, until it is known whether the account had it already: then this
  /// stands for the ancestor.
  package var bundled: Fields?
  /// The move that a pending deletion completes; `nil` for a deletion that is one.
  package var departure: MoveID?
  /// Where what is shown has to go, because the record was moved to another zone; it is not sent here.
  package var relocation: Relocation?

  /// The layers of a record.
  package init(
    name: RecordName, type: RecordType, ancestor: BrokerState, inFlight: Frozen? = nil,
    shown: Fields?, held: BrokerState? = nil, bundled: Fields? = nil
  ) {
    self.name = name
    self.type = type
    self.ancestor = ancestor
    self.inFlight = inFlight
    self.shown = shown
    self.held = held
    self.bundled = bundled
  }

  /// Whether something has still to be sent.
  package var hasPending: Bool {
    if let inFlight { return shown != inFlight.fields }
    return shown != ancestor.fields || hasUntoldDeparture
  }

  /// Whether the record was moved from here and the broker knows it as deleted: the tombstone shall take
  /// the move's id.
  private var hasUntoldDeparture: Bool {
    shown == nil && departure != nil && ancestor.tag != nil && ancestor.fields == nil
      && ancestor.move == nil
  }

  /// Whether the broker has what is shown and nothing is under way.
  package var isClean: Bool {
    inFlight == nil && held == nil && bundled == nil && relocation == nil && !hasPending
  }

  /// What the next request would do to the record; `nil` when nothing is pending or an edit is
  /// under way.
  package var operation: Operation? {
    guard inFlight == nil, hasPending else { return nil }
    guard let shown else {
      return .delete(Operation.Delete(name: name, tag: ancestor.tag, move: departure))
    }
    let changes = FieldChanges.difference(from: ancestor.fields ?? Fields(), to: shown)
    return .save(
      Operation.Save(
        name: name, type: type, tag: ancestor.fields == nil ? nil : ancestor.tag,
        fields: EncodedRecord(changes.set), removed: changes.removed))
  }

  /// The pending edit was put into request `number`.
  package mutating func froze(in number: RequestNumber) {
    precondition(inFlight == nil, "A record has at most one edit in flight.")
    inFlight = Frozen(number: number, fields: shown)
  }

  /// The request will not be sent as it was frozen: its edit is pending again.
  package mutating func thawed() -> [Conflict] {
    inFlight = nil
    return applyHeld()
  }

  private mutating func applyHeld() -> [Conflict] {
    guard let newest = held else { return [] }
    held = nil
    return newest.isOld(beside: ancestor) ? [] : meet(newest)
  }
}

// MARK: - The feed

extension RecordLayers {
  /// What a change in the feed came to.
  package enum FeedEffect: Hashable, Sendable {
    /// It told nothing new, but perhaps times and authors.
    case known
    /// It was the outcome of the edit under way.
    case outcome
    /// Nothing local stood against it; people see it now.
    case replaced
    /// It was merged with pending edits.
    case merged([Conflict])
    /// It waits for the outcome of the edit under way.
    case held
  }

  /// The feed told a state, set by request `own` of this device if it was this device.
  package mutating func fed(_ state: BrokerState, own: RequestNumber?) -> FeedEffect {
    if state.isOld(beside: ancestor) {
      if state.tag == ancestor.tag, state.fields == ancestor.fields {
        ancestor.created = state.created
        ancestor.modified = state.modified
      }
      return .known
    }
    if let inFlight {
      // NB: the content is compared too: on a device whose database was copied, the number may be
      // the copy's.
      guard own == inFlight.number, state.fields == inFlight.fields else {
        if held.map({ state.isOld(beside: $0) }) != true { held = state }
        return .held
      }
      ancestor = state
      self.inFlight = nil
      bundled = nil
      if state.fields == nil { departure = nil }
      let conflicts = applyHeld()
      return conflicts.isEmpty ? .outcome : .merged(conflicts)
    }
    let isPending = hasPending
    let conflicts = meet(state)
    return isPending ? .merged(conflicts) : .replaced
  }

  /// A newer state of the broker meets what is shown; no edit is under way.
  private mutating func meet(_ theirs: BrokerState) -> [Conflict] {
    defer { endRelocationWhereArrived() }
    let base = ancestor.fields ?? relocation?.base ?? bundled
    let mine = shown
    ancestor = theirs
    bundled = nil
    switch (theirs.fields, mine) {
    case (nil, nil):
      // A plain deletion does not undo the move from here; its tombstone takes the move's id.
      if theirs.move != nil { departure = nil }
      return []
    case _ where mine == base:
      shown = theirs.fields
      if mine == nil { departure = nil }
      return []
    case (nil, _?):
      guard let base else { return [] }
      relocation = theirs.move.map {
        Relocation(move: $0, mover: theirs.modified?.origin.account, base: base)
      }
      return relocation == nil ? [whole(.deletedThere, met: theirs)] : []
    case (let fields?, nil):
      // What was deleted here is as it was: only its tag moved.
      // A conflict that was resolved here stays resolved, whatever the other device made of it.
      if fields == base || type == Conflict.recordType { return [] }
      shown = fields
      guard let departure else { return [whole(.deletedHere, met: theirs)] }
      // It was moved from here: the other device's change follows it.
      relocation = Relocation(move: departure, mover: nil, base: base ?? Fields())
      return []
    case (let fields?, let mine?):
      return merge(fields, of: theirs, into: mine, base: base)
    }
  }

  private mutating func merge(
    _ fields: Fields, of theirs: BrokerState, into mine: Fields, base: Fields?
  ) -> [Conflict] {
    let merge = Merge(ancestor: base ?? Fields(), theirs: fields, mine: mine)
    shown = merge.fields
    guard type != Conflict.recordType else { return [] }
    return merge.losses.map {
      Conflict(record: name, type: type, loss: $0, winner: Conflict.Side(theirs))
    }
  }

  /// A relocation ends where nothing is shown that could follow, or where this is the target.
  private mutating func endRelocationWhereArrived() {
    guard let relocation else { return }
    guard let shown, !MoveTrail(shown).ids.contains(relocation.move) else {
      self.relocation = nil
      return
    }
  }

  private func whole(_ kind: Conflict.Kind, met theirs: BrokerState) -> Conflict {
    Conflict(record: name, type: type, kind: kind, other: Conflict.Side(theirs))
  }

  /// The target of the relocation is not to be found, or may not be changed. What was edited here stays
  /// here and is sent as a new record where it was deleted; the conflict says so.
  package mutating func gaveUpRelocation() -> [Conflict] {
    guard relocation != nil else { return [] }
    let wasMovedHere = departure != nil
    relocation = nil
    departure = nil
    guard inFlight == nil, shown != nil else { return [] }
    if ancestor.fields == nil { return [whole(.deletedThere, met: ancestor)] }
    return wasMovedHere ? [whole(.deletedHere, met: ancestor)] : []
  }
}

// MARK: - Outcomes

extension RecordLayers {
  /// What the outcome of an edit came to.
  package enum OutcomeEffect: Hashable, Sendable {
    /// The feed told it before, or the edit was given up meanwhile.
    case known
    /// The broker took the edit; conflicts stem from a change that came meanwhile.
    case applied([Conflict])
    /// The broker had something else; what is left of the edit is pending again.
    case merged([Conflict])
    /// The edit has to be sent again; another one of its group was the culprit, or it was changed
    /// meanwhile and may be good now.
    case requeued([Conflict])
    /// The broker will not take it: what is shown is the broker's again.
    case refused(RecordsError)
  }

  /// Request `number` had this result for the record.
  /// - Throws: what `EncodedRecord.fields` throws, for the broker's record in a conflict.
  package mutating func ended(
    _ number: RequestNumber, _ result: OperationResult
  ) throws(RecordsError) -> OutcomeEffect {
    guard let edit = inFlight, edit.number == number else { return try endedLate(result) }
    switch result {
    case .saved(let tag): return .applied(taken(edit, tag: tag))
    case .deleted(let tag, _): return .applied(taken(edit, tag: tag ?? ancestor.tag))
    case .zoneSaved, .zoneDeleted, .trashEmptied: return .known
    case .failed(let error, let serverRecord) where error.code == .serverRecordChanged:
      let server = try serverRecord.map(BrokerState.init)
      let known = ancestor
      inFlight = nil
      let newest = newer(server, held)
      held = nil
      return .merged(meet(newest ?? BrokerState(tag: known.tag, fields: nil)))
    case .failed(let error, _):
      let isChanged = hasPending
      inFlight = nil
      if error.code == .batchRequestFailed || isChanged { return .requeued(applyHeld()) }
      return refused(because: error)
    }
  }

  /// The edit was given up because the broker lost the record after it answered. The state in the answer may
  /// be on no disk any more: it is merged into what is shown, which is sent again as a whole.
  private mutating func endedLate(_ result: OperationResult) throws(RecordsError) -> OutcomeEffect {
    guard ancestor == .unknown, let mine = shown,
      case .failed(let error, let record?) = result, error.code == .serverRecordChanged
    else { return .known }
    let theirs = try BrokerState(record)
    guard let fields = theirs.fields else { return .known }
    return .merged(merge(fields, of: theirs, into: mine, base: nil))
  }

  /// Gives the edit up: people see the broker's state again.
  package mutating func refused(because error: RecordsError) -> OutcomeEffect {
    inFlight = nil
    if let held, !held.isOld(beside: ancestor) { ancestor = held }
    held = nil
    bundled = nil
    departure = nil
    relocation = nil
    shown = ancestor.fields
    return .refused(error)
  }

  private mutating func taken(_ edit: Frozen, tag: Revision?) -> [Conflict] {
    let hadPending = hasPending
    // NB: that a reading found nothing says no more than that it is gone; this says since when.
    if edit.fields == nil, held?.isAbsence == true { held = nil }
    let modified = tag == ancestor.tag ? ancestor.modified : nil
    ancestor = BrokerState(
      tag: tag, fields: edit.fields, created: ancestor.fields == nil ? nil : ancestor.created,
      modified: modified, move: edit.fields == nil ? departure : nil)
    inFlight = nil
    bundled = nil
    if edit.fields == nil { departure = nil }
    if !hadPending { shown = ancestor.fields }
    if let same = held, same.tag == tag {
      held = nil
      return same.fields == ancestor.fields ? keepStamps(of: same) : meet(same)
    }
    return applyHeld()
  }

  private mutating func keepStamps(of state: BrokerState) -> [Conflict] {
    ancestor = state
    return []
  }

  private func newer(_ one: BrokerState?, _ other: BrokerState?) -> BrokerState? {
    guard let one else { return other }
    guard let other else { return one }
    return one.isOld(beside: other) ? other : one
  }
}
