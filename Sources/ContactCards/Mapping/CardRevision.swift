// `REV`, the time at which a card was last changed. It describes the card and not the person, so a contact
// does not retain it. An export contains the time at which the contact here was changed.

/// The property with the time of a card's last change.
enum CardRevision {
  /// Whether a property with this name is the revision.
  static func isRevision(_ name: String) -> Bool { name.isSame(as: "REV") }
}
