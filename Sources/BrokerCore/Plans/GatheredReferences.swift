// What a request's references are held against: how the records stand that its saves name, and which
// of the records it touches nobody can see any more, because what they go with was deleted. Gathered
// only where a save names a parent, or something in the zone is hidden.

import Records

/// How the parents named in a request stand, and what of it is hidden.
package struct GatheredReferences: Sendable {
  /// Whether a record can be gone with.
  package enum Standing: Hashable, Sendable {
    /// It exists.
    case there
    /// It did; or it is hidden, and about to be deleted.
    case deleted
  }

  /// How the records stand that saves name; what never was is not among them.
  private let parents: [RecordID: Standing]
  /// The records that are hidden, with the tag of the state that is.
  private let hidden: [RecordID: Revision]

  /// What was gathered.
  package init(parents: [RecordID: Standing], hidden: [RecordID: Revision]) {
    self.parents = parents
    self.hidden = hidden
  }

  /// Nothing is named and nothing hidden.
  package static let nothing = GatheredReferences(parents: [:], hidden: [:])

  func standing(of record: RecordID) -> Standing? { parents[record] }

  /// Whether this state of a record is hidden.
  func hides(_ state: Change, _ id: RecordID) -> Bool {
    state.kind == .saved && hidden[id] == state.tag
  }
}
