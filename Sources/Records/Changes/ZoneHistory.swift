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

  /// What the next state of a record contains of former histories.
  /// - Parameters:
  ///   - saved: What the request says of the new state; `nil` for an ordinary edit.
  ///   - stored: The state before, if there is one.
  package func former(_ saved: FormerVersion?, over stored: Change?) -> FormerVersion? {
    guard let saved else { return stored?.former?.followed }
    let before = stored.map(versions(of:)) ?? VersionVector()
    if saved.isExact, saved.versions.includes(before) { return saved }
    let known = stored?.former?.versions ?? VersionVector()
    return FormerVersion(known.union(saved.versions), isExact: false)
  }
}
