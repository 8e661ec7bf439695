// The history of a zone, with those that it continues. The broker and devices compare states of a record by what they
// contain of these histories.

/// A zone's present history, with those that it continues.
package struct ZoneHistory: Hashable, Sendable {
  /// The name of the present history.
  package let incarnation: Incarnation
  /// The ended histories that it continues.
  package let lineage: Lineage

  package init(_ incarnation: Incarnation, _ lineage: Lineage) {
    self.incarnation = incarnation
    self.lineage = lineage
  }

  /// What a state with a tag contains.
  package func versions(at tag: Revision, _ former: FormerVersion?) -> VersionVector {
    lineage.versions(at: tag, former, in: incarnation)
  }

  /// What a stored state contains.
  package func versions(of state: Change) -> VersionVector { versions(at: state.tag, state.former) }

  /// Returns the former version of a record's next state.
  ///
  /// The state after an exact one contains that and its own revision, and nothing else of this history and its lineage. Neither
  /// does a state in place of a damaged one: the lineage includes the damaged state's revision, which the new state need not
  /// contain.
  /// - Parameters:
  ///   - saved: What the request says of the new state; `nil` for an ordinary edit.
  ///   - stored: The state before, if there is one.
  ///   - tag: The tag of the new state.
  package func former(
    _ saved: FormerVersion?, over stored: Change?, at tag: Revision
  ) -> FormerVersion? {
    let isDamaged = stored?.isOfDamaged == true
    return former(
      saved, over: isDamaged ? nil : stored.map { ($0.tag, $0.former) }, at: tag,
      isComplete: isDamaged)
  }

  /// Returns the former version of a record's next state, as above.
  /// - Parameters:
  ///   - before: The tag of the state before, and what it contains besides; `nil` if there is none.
  ///   - isComplete: Whether the lineage must not count, because a state that it includes is damaged.
  package func former(
    _ saved: FormerVersion?, over before: (tag: Revision, former: FormerVersion?)?,
    at tag: Revision, isComplete: Bool = false
  ) -> FormerVersion? {
    let known = before?.former?.versions ?? VersionVector()
    let contained = before.map { self.versions(at: $0.tag, $0.former) } ?? known
    if let saved, saved.isExact, saved.versions.includes(contained) { return saved }
    guard saved != nil || before?.former != nil else { return nil }
    var versions = known.union(saved?.versions ?? VersionVector())
    guard isComplete || before?.former?.isExact == true else {
      return FormerVersion(versions, isExact: false)
    }
    // A device may hear of the state only after its history has ended.
    versions.raise(lineage.endedHistory(of: tag) ?? incarnation, to: tag)
    return FormerVersion(versions, isExact: true)
  }
}
