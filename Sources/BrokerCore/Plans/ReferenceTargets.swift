import Records

/// The records against which a request's references are checked: the parents that it names, and the hidden
/// records among those it concerns.
///
/// A record is hidden if it refers with `deleteSelf`, directly or through other records, to a deleted one,
/// and its own deletion is still pending. The store reads these rows only if a save names a parent, or if a
/// record of the zone may be hidden.
package struct ReferenceTargets: Sendable {
  /// The state of a parent.
  package enum State: Hashable, Sendable {
    /// The record exists.
    case exists
    /// The record was deleted, or is hidden and about to be deleted.
    case deleted
  }

  /// The states of the parents that saves name. A parent that never existed has no entry.
  private let parents: [RecordID: State]
  /// The hidden records, each with the change tag of its hidden version.
  private let hidden: [RecordID: Revision]

  package init(parents: [RecordID: State], hidden: [RecordID: Revision]) {
    self.parents = parents
    self.hidden = hidden
  }

  /// No parents and no hidden records.
  package static let nothing = ReferenceTargets(parents: [:], hidden: [:])

  func state(of record: RecordID) -> State? { parents[record] }

  /// Whether `state`, a version of the record `id`, is hidden.
  func hides(_ state: Change, _ id: RecordID) -> Bool {
    state.kind == .saved && hidden[id] == state.tag
  }
}
