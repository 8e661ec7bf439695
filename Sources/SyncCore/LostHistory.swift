// A record after the broker was restored from a backup, or lost the record. The last state that the broker confirmed to this
// device may be later than the broker's present state, or than the state that another device sends. Version vectors say
// which of two states is later. If neither is, they are merged.

import Records

extension ZoneHistory {
  /// The versions that a state of the broker contains; of a state without a tag, all of the history.
  package func versions(of state: BrokerState) -> VersionVector {
    state.tag.map { versions(at: $0, state.former) } ?? lineage.versions
  }
}

/// A state of a former history that the broker confirmed, and that its present history does not have.
package struct LostState: Hashable, Sendable {
  /// The state; its fields are `nil` if the record was deleted.
  package let state: BrokerState
  /// The versions that the state contains.
  package let versions: VersionVector
  /// Whether it was merged with the broker's present state, so that what is shown contains it and is another one.
  package internal(set) var isMerged: Bool

  package init(_ state: BrokerState, containing versions: VersionVector, isMerged: Bool = false) {
    self.state = state
    self.versions = versions
    self.isMerged = isMerged
  }

  /// The versions that a request sends with these fields, and whether they are exactly this state.
  func former(of fields: Fields?) -> FormerVersion {
    FormerVersion(versions, isExact: !isMerged && fields == state.fields)
  }
}

/// The history, base and kind of restore by which a lost state is compared with one of the present history.
package struct LostContext: Hashable, Sendable {
  /// The zone's present history.
  package let history: ZoneHistory
  /// The state in which both histories last agreed, if this device has it.
  package let base: Fields?
  /// Whether the broker was rewound, so that its state is the later one.
  package let isRewound: Bool

  package init(_ history: ZoneHistory, base: Fields?, isRewound: Bool = false) {
    self.isRewound = isRewound
    self.history = history
    self.base = base
  }
}

extension RecordLayers {
  /// Begins a new history, before its first state of the record. The state that the former one confirmed becomes the lost
  /// one, until it is compared with that.
  /// - Parameter versions: The versions that the confirmed state contains.
  package mutating func beginHistory(containing versions: VersionVector) -> [ConflictRecord] {
    let conflicts = held == nil ? [] : returnedToOutbox()
    // A first record whose state the account's feed has still to tell has the tag 0.
    guard let tag = ancestor.tag, tag > .zero else {
      ancestor.tag = nil
      return conflicts
    }
    if lost.map({ !$0.versions.includes(versions) }) ?? true {
      lost = LostState(ancestor, containing: versions)
    }
    ancestor = .unknown
    return conflicts
  }

  /// The present history does not have the record, because it was deleted before the backup.
  package mutating func foundDeleted() {
    guard let lost else { return }
    ancestor.fields = lost.state.fields
    self.lost = nil
  }

  /// The broker was rewound to a time when it did not have the record's zone. Only an edit under way brings the record back;
  /// it is sent as a whole. A deletion by a move is sent too: another device may have such an edit.
  package mutating func rewound() -> [ConflictRecord] {
    guard lost != nil, inFlight == nil else {
      lost = nil
      return []
    }
    foundDeleted()
    return missed(through: .zero)
  }

  /// The broker does not have the record.
  /// - Parameter revision: The revision of the zone through which that is known.
  package mutating func missed(through revision: Revision?) -> [ConflictRecord] {
    guard case .merged(let conflicts) = fed(BrokerState(tag: revision, fields: nil), own: nil)
    else { return [] }
    return conflicts
  }

  /// Keeps what this device knows of a record that the broker left out of a new history because it is damaged.
  /// Every state of the record that the broker sends later is newer.
  /// - Parameters:
  ///   - versions: The versions that the confirmed state contains.
  ///   - scanned: the revision of the new history up to which the broker left the record out.
  package mutating func missedInNewHistory(
    containing versions: VersionVector, through scanned: Revision
  ) {
    held?.tag = nil
    ancestor.tag = ancestor.fields == nil ? nil : scanned
    ancestor.former = ancestor.fields == nil ? nil : FormerVersion(versions, isExact: true)
  }

  /// Notes the versions of the confirmed state, which the broker made of an edit in a history that this device has not read
  /// yet. By its tag alone, it would count as a state of the history before.
  /// - Parameters:
  ///   - incarnation: The history that is not read yet.
  ///   - before: The states before the outcome.
  ///   - known: The versions that the edited state contains.
  package mutating func confirmed(
    in incarnation: Incarnation, over before: RecordLayers, containing known: VersionVector
  ) {
    guard let tag = ancestor.tag, let edit = before.inFlight else { return }
    let sent = before.lost?.former(of: edit.fields)
    // The broker stores such a state with what it contained before.
    if let sent, sent.isExact, sent.versions.includes(known) {
      ancestor.former = sent
      return
    }
    var versions = known.union(sent?.versions ?? VersionVector())
    versions.raise(incarnation, to: tag)
    ancestor.former = FormerVersion(versions, isExact: true)
  }

  /// Compares the lost state with one of the present history. Returns what the two have in common; `nil` if the lost state
  /// is the later one, and is sent again as it is.
  mutating func compareLost(with theirs: BrokerState) -> (base: Fields?, isMerge: Bool)? {
    guard let lost else { return (ancestor.fields ?? relocation?.base ?? bundled, false) }
    let known = lostContext.map { $0.history.versions(of: theirs) } ?? VersionVector()
    if known.includes(lost.versions) || lostContext?.isRewound == true {
      self.lost = nil
      return (lost.isMerged ? ancestor.fields : lost.state.fields, false)
    }
    if lost.isMerged { return (ancestor.fields, false) }
    if lost.versions.includes(known) { return nil }
    self.lost?.isMerged = true
    return (lostContext?.base ?? lost.state.fields?.common(with: theirs.fields), true)
  }
}

extension Fields {
  /// The fields that have the same values in both.
  fileprivate func common(with other: Fields?) -> Fields {
    guard let other else { return Fields() }
    return Fields(all.compactMap { other[$0.key] == $0.value ? ($0.key, $0.value) : nil })
  }
}
