// The states of one record on a device: the last known state of the broker (ancestor), the edit that was sent and has
// no outcome yet (in flight), the state that the user sees (shown), and the newest change by another device that
// arrived while an edit was in flight (held). The pending edit is not stored. It is the difference between the shown
// state and the state below it, so unsent edits coalesce automatically, and an edit that leads back to the broker's
// state disappears.

import Records

/// The states of one record on a device, and how events change them.
package struct RecordLayers: Hashable, Sendable {
  /// An edit in a request. It does not change after the request was built.
  package struct Frozen: Hashable, Sendable {
    /// The number of the request.
    package let number: RequestNumber
    /// The fields of the record after the edit; `nil` for a deletion.
    package let fields: Fields?

    package init(number: RequestNumber, fields: Fields?) {
      self.number = number
      self.fields = fields
    }
  }

  /// The record's name.
  package let name: RecordName
  /// Its type.
  package var type: RecordType
  /// The last known state of the broker.
  package var ancestor: BrokerState
  /// The edit that was sent and has no outcome yet.
  package var inFlight: Frozen?
  /// The fields that the user sees; `nil` if the record is not shown.
  package var shown: Fields?
  /// The newest change by another device that arrived while the edit was in flight.
  package var held: BrokerState?
  /// The fields that the first run wrote, until it is known whether the account already had the record. If it had,
  /// they take the place of the ancestor.
  package var bundled: Fields?
  /// The move that a pending deletion completes; `nil` for an ordinary deletion.
  package var departure: MoveID?
  /// The move that the shown content has to follow to another zone. The content is not sent in this zone.
  package var relocation: Relocation?
  /// The state of a former history that is sent again; see `LostHistory.swift`.
  package var lost: LostState?
  /// What `lost` is compared by; set before a state of the broker is applied, if there is a lost state.
  package var lostContext: LostContext?

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

  /// Whether an edit remains to be sent.
  package var hasPending: Bool {
    if let inFlight { return shown != inFlight.fields }
    return shown != ancestor.fields || hasUnsentDeparture || lost != nil
  }

  /// Whether the record was moved out of this zone.
  package var isLeaving: Bool { shown == nil && departure != nil }

  /// Whether the record was moved out of this zone and the broker's tombstone does not contain the move's id yet.
  private var hasUnsentDeparture: Bool {
    isLeaving && ancestor.tag != nil && ancestor.fields == nil && ancestor.move == nil
  }

  /// Whether the broker has the shown state and nothing is pending.
  package var isClean: Bool {
    inFlight == nil && held == nil && bundled == nil && relocation == nil && lost == nil
      && !hasPending
  }

  /// The operation for the next request; `nil` if nothing is pending or an edit is in flight.
  package var operation: Operation? { operation(encodedShown: nil) }

  /// The operation for the next request, as above.
  /// - Parameter encodedShown: The encoding of the shown fields, if the caller has it. A new record is sent with all
  ///   of its fields.
  package func operation(encodedShown: EncodedRecord?) -> Operation? {
    guard inFlight == nil, hasPending else { return nil }
    guard let shown else {
      return .delete(
        Operation.Delete(
          name: name, tag: ancestor.tag, move: departure, former: lost?.former(of: nil)))
    }
    let former = lost?.former(of: shown)
    if ancestor.fields == nil, let encodedShown {
      return .save(
        Operation.Save(
          name: name, type: type, tag: nil, fields: encodedShown, removed: [],
          former: former))
    }
    let changes = FieldChanges.difference(from: ancestor.fields ?? Fields(), to: shown)
    return .save(
      Operation.Save(
        name: name, type: type, tag: ancestor.fields == nil ? nil : ancestor.tag,
        fields: EncodedRecord(changes.set), removed: changes.removed, former: former))
  }

  /// Records that the pending edit was added to request `number`.
  package mutating func froze(in number: RequestNumber) {
    precondition(inFlight == nil, "A record has at most one edit in flight.")
    inFlight = Frozen(number: number, fields: shown)
  }

  /// Makes the edit in flight pending again, because its request will not be sent any more.
  package mutating func returnedToOutbox() -> [ConflictRecord] {
    inFlight = nil
    return applyHeld()
  }

  private mutating func applyHeld() -> [ConflictRecord] {
    guard let newest = held else { return [] }
    held = nil
    return newest.isOld(beside: ancestor) ? [] : meet(newest)
  }
}

// MARK: - The feed

extension RecordLayers {
  /// The effect of a change in the feed.
  package enum FeedEffect: Hashable, Sendable {
    /// The change was known; at most its times and authors were new.
    case known
    /// The change was the edit in flight.
    case outcome
    /// The change replaced the shown state, because no edit was pending.
    case replaced
    /// The change was merged with pending edits.
    case merged([ConflictRecord])
    /// The change waits for the outcome of the edit in flight.
    case held
  }

  /// Applies a state from the feed.
  /// - Parameter own: the number of the request that caused the change, if this device sent it.
  package mutating func fed(_ state: BrokerState, own: RequestNumber?) -> FeedEffect {
    if state.isOld(beside: ancestor) {
      if state.tag == ancestor.tag, state.fields == ancestor.fields {
        ancestor.created = state.created
        ancestor.modified = state.modified
        ancestor.former = state.former
      }
      return .known
    }
    if let inFlight {
      // NB: the content is compared too, because a copy of this device's database may have used the same number.
      guard own == inFlight.number, state.fields == inFlight.fields else {
        if held.map({ state.isOld(beside: $0) }) != true { held = state }
        return .held
      }
      ancestor = state
      self.inFlight = nil
      lost = nil
      bundled = nil
      if state.fields == nil { departure = nil }
      let conflicts = applyHeld()
      return conflicts.isEmpty ? .outcome : .merged(conflicts)
    }
    let isPending = hasPending
    let conflicts = meet(state)
    return isPending ? .merged(conflicts) : .replaced
  }

  /// Merges a newer state of the broker into the shown state, while no edit is in flight.
  private mutating func meet(_ theirs: BrokerState) -> [ConflictRecord] {
    defer {
      endRelocationWhereArrived()
      if shown == theirs.fields, lost?.isMerged == true { lost = nil }
    }
    let mine = shown
    guard let (base, isMerge) = compareLost(with: theirs) else {
      ancestor = theirs
      if theirs.fields == nil, mine == nil { lost = nil }
      return []
    }
    ancestor = theirs
    bundled = nil
    switch (theirs.fields, mine) {
    case (nil, nil):
      // An ordinary deletion does not undo the move. The move's id is still added to its tombstone.
      if theirs.move != nil { departure = nil }
      return []
    case _ where mine == base:
      shown = theirs.fields
      if mine == nil { departure = nil }
      return []
    case (nil, _?):
      guard let base = base ?? (isMerge ? Fields() : nil) else { return [] }
      relocation = theirs.move.map {
        Relocation(move: $0, mover: theirs.modified?.origin.account, base: base)
      }
      return relocation == nil ? [whole(.deletedThere, met: theirs)] : []
    case (let fields?, nil):
      // Only the tag changed since the local deletion.
      // A conflict that was resolved here stays resolved, even if another device changed it.
      if fields == base || type == ConflictRecord.recordType { return [] }
      shown = fields
      guard let departure else { return [whole(.deletedHere, met: theirs)] }
      // The record was moved out of this zone, so the other device's change follows it.
      relocation = Relocation(move: departure, mover: nil, base: base ?? Fields())
      return []
    case (let fields?, let mine?):
      return merge(fields, of: theirs, into: mine, base: base)
    }
  }

  private mutating func merge(
    _ fields: Fields, of theirs: BrokerState, into mine: Fields, base: Fields?
  ) -> [ConflictRecord] {
    let merge = Merge(ancestor: base ?? Fields(), theirs: fields, mine: mine)
    shown = merge.fields
    guard type != ConflictRecord.recordType else { return [] }
    return merge.losses.map {
      ConflictRecord(record: name, type: type, loss: $0, winner: ConflictRecord.Side(theirs))
    }
  }

  /// Ends the relocation if no content is shown, or if this record is its target.
  private mutating func endRelocationWhereArrived() {
    guard let relocation else { return }
    guard let shown, !MoveTrail(shown).ids.contains(relocation.move) else {
      self.relocation = nil
      return
    }
  }

  private func whole(_ kind: ConflictRecord.Kind, met theirs: BrokerState) -> ConflictRecord {
    ConflictRecord(record: name, type: type, kind: kind, other: ConflictRecord.Side(theirs))
  }

  /// Ends the relocation because its target cannot be found or changed. The edited content stays in this zone. If the
  /// record was deleted, the content is sent as a new record and a conflict is returned.
  package mutating func gaveUpRelocation() -> [ConflictRecord] {
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
  /// The effect of an edit's outcome.
  package enum OutcomeEffect: Hashable, Sendable {
    /// The outcome was known from the feed, or the edit was given up before.
    case known
    /// The broker applied the edit. The conflicts come from a change that arrived while it was in flight.
    case applied([ConflictRecord])
    /// The broker had a different state. The rest of the edit is pending again.
    case merged([ConflictRecord])
    /// The edit has to be sent again: another edit of its group failed, or it was changed while in flight and may
    /// succeed now.
    case requeued([ConflictRecord])
    /// The broker rejected the edit. Its state is shown again.
    case refused(RecordsError)
  }

  /// Applies the result that request `number` had for the record.
  /// - Parameter stamp: The stamp of what the request saved, as far as it is known. Devices save with
  ///   `SavePolicy.ifServerRecordUnchanged`, so a saved record has it, unless its tag is the former one.
  /// - Throws: the errors of `EncodedRecord.fields`, for the broker's record in a conflict.
  package mutating func ended(
    _ number: RequestNumber, _ result: OperationResult, stamp: Stamp? = nil,
    in history: ZoneHistory? = nil
  ) throws(RecordsError) -> OutcomeEffect {
    guard let edit = inFlight, edit.number == number else { return try endedLate(result) }
    switch result {
    case .saved(let tag): return .applied(taken(edit, tag: tag, stamp: stamp, in: history))
    case .deleted(let tag, _): return .applied(taken(edit, tag: tag ?? ancestor.tag, in: history))
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

  /// Handles the result of an edit that was given up because the broker lost the record after it answered. The state
  /// in the answer may not be stored anywhere any more, so it is merged into the shown state, which is sent again.
  private mutating func endedLate(_ result: OperationResult) throws(RecordsError) -> OutcomeEffect {
    guard ancestor == .unknown, let mine = shown,
      case .failed(let error, let record?) = result, error.code == .serverRecordChanged
    else { return .known }
    let theirs = try BrokerState(record)
    guard let fields = theirs.fields else { return .known }
    return .merged(merge(fields, of: theirs, into: mine, base: nil))
  }

  /// Discards the edit and shows the broker's state again.
  package mutating func refused(because error: RecordsError) -> OutcomeEffect {
    inFlight = nil
    if let held, !held.isOld(beside: ancestor) { ancestor = held }
    held = nil
    lost = nil
    bundled = nil
    departure = nil
    relocation = nil
    shown = ancestor.fields
    return .refused(error)
  }

  private mutating func taken(
    _ edit: Frozen, tag: Revision?, stamp: Stamp? = nil, in history: ZoneHistory?
  ) -> [ConflictRecord] {
    let hadPending = hasPending
    // NB: the held state only says that the record is missing; the outcome has the tag of the deletion.
    if edit.fields == nil, held?.isAbsence == true { held = nil }
    let modified = tag == ancestor.tag ? ancestor.modified : stamp
    ancestor = BrokerState(
      tag: tag, fields: edit.fields, created: ancestor.fields == nil ? stamp : ancestor.created,
      modified: modified, move: edit.fields == nil ? departure : nil,
      former: former(of: edit, at: tag, in: history))
    inFlight = nil
    lost = nil
    bundled = nil
    if edit.fields == nil { departure = nil }
    if !hadPending { shown = ancestor.fields }
    if let same = held, same.tag == tag {
      held = nil
      return same.fields == ancestor.fields ? keepStamps(of: same) : meet(same)
    }
    return applyHeld()
  }

  /// Returns the former version that the broker stores with the state that it made of an edit.
  private func former(
    of edit: Frozen, at tag: Revision?, in history: ZoneHistory?
  ) -> FormerVersion? {
    guard let tag else { return nil }
    if tag == ancestor.tag { return ancestor.former }
    let sent = lost?.former(of: edit.fields)
    guard let history else { return sent ?? ancestor.former }
    return history.former(sent, over: ancestor.tag.map { ($0, ancestor.former) }, at: tag)
  }

  private mutating func keepStamps(of state: BrokerState) -> [ConflictRecord] {
    ancestor = state
    return []
  }

  private func newer(_ one: BrokerState?, _ other: BrokerState?) -> BrokerState? {
    guard let one else { return other }
    guard let other else { return one }
    return one.isOld(beside: other) ? other : one
  }
}
