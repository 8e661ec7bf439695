// The labels that pickers offer. They are a convenience, not a rule: a label is free text, and one
// of a person's own is kept and shown as it was typed (A4).

/// The labels offered for the values of one kind.
package enum ContactLabel: String, Hashable, Sendable, CaseIterable {
  /// For telephone numbers.
  case phone
  /// For e-mail addresses.
  case email
  /// For postal addresses.
  case address

  /// The labels, the most used first.
  package var offered: [String] {
    switch self {
    case .phone: ["mobile", "home", "work", "main", "home fax", "work fax", "pager", "other"]
    case .email: ["home", "work", "school", "other"]
    case .address: ["home", "work", "school", "other"]
    }
  }
}
