import Records

/// Two values of one field, set by two devices at the same time. The contact shows one of them.
package struct ConflictItem: Codable, Hashable, Sendable {
  package var id: String
  /// The id of the contact.
  package var contact: String
  /// The name of the contact.
  package var name: String
  /// `values` for a field, or the kind of a conflict with a deletion.
  package var kind: String
  /// The field, with the entry and its part for an entry of a list: `phones/ENTRY/value`.
  package var field: String
  package var mine: String
  /// The author of `mine`; with empty names if it is unknown.
  package var mineBy: AuthorView
  package var theirs: String
  /// The author of `theirs`; with empty names if it is unknown.
  package var theirsBy: AuthorView
  /// Which of the two the contact shows: `mine` or `theirs`.
  package var shown: String
  /// When the conflict was found.
  package var found: Timestamp

  package init(
    id: String, contact: String, name: String, kind: String, field: String, mine: String,
    mineBy: AuthorView, theirs: String, theirsBy: AuthorView, shown: String, found: Timestamp
  ) {
    self.id = id
    self.contact = contact
    self.name = name
    self.kind = kind
    self.field = field
    self.mine = mine
    self.mineBy = mineBy
    self.theirs = theirs
    self.theirsBy = theirsBy
    self.shown = shown
    self.found = found
  }
}
