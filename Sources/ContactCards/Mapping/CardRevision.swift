// `REV`: when a card was last changed. It is a fact about the card and not about the person, so a contact
// does not keep it: an export states when the contact here was changed.

/// The property that says when a card was last changed.
enum CardRevision {
  /// Whether a property of this name is the revision.
  static func isRevision(_ name: String) -> Bool { name.isSame(as: "REV") }
}
