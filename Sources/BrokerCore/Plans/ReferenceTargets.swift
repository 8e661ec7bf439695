// The records against which a request's references are checked. A record is hidden if it refers, directly
// or through other records, to a deleted one with `deleteSelf`, and its own deletion is still pending. Read
// only if a save names a parent or a record of the zone may be hidden.

import Records

/// The states of the parents that a request names, and the hidden records among those it concerns.
package struct ReferenceTargets: Sendable {
  /// Whether a record can be a parent.
  package enum Standing: Hashable, Sendable {
    /// The record exists.
    case there
    /// The record was deleted, or is hidden and about to be deleted.
    case deleted
  }

  /// The states of the parents that saves name. A parent that never existed has no entry.
  private let parents: [RecordID: Standing]
  /// The hidden records, each with the change tag of its hidden version.
  private let hidden: [RecordID: Revision]

  package init(parents: [RecordID: Standing], hidden: [RecordID: Revision]) {
    self.parents = parents
    self.hidden = hidden
  }

  /// No parents and no hidden records.
  package static let nothing = ReferenceTargets(parents: [:], hidden: [:])

  func standing(of record: RecordID) -> Standing? { parents[record] }

  /// Whether `state`, a version of the record `id`, is hidden.
  func hides(_ state: Change, _ id: RecordID) -> Bool {
    state.kind == .saved && hidden[id] == state.tag
  }
}
