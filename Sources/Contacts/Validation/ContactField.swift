// A contact laid out as the fields that rules speak of, so that each set of rules is one look at
// one field and none forgets a list. Empty values are not fields: empty is not given.

/// One given field of a contact.
struct ContactField: Hashable, Sendable {
  /// What kind of value a field holds.
  enum Kind: Hashable, Sendable {
    case firstName, lastName, company, phone, email
    case street1, street2, city, state, zipcode, country
    /// Any other value of one line.
    case line
    /// A value of several lines.
    case text

    /// Whether line ends belong into the value.
    var isText: Bool { self == .text }
  }

  /// The field's place: `firstName`, `phones/ENTRY`, `addresses/ENTRY/city`.
  let path: String
  /// What it is called in a sentence.
  let noun: String
  let kind: Kind
  /// The value without the blanks around it; never empty, but for an entry that has only a label.
  let value: String
  /// The label of the entry, where the field is one.
  let label: String?

  /// The value as sentences show it.
  var shown: String { "“\(FieldProblem.shown(value))”" }

  /// `sentence` said of this field.
  func problem(_ sentence: String) -> FieldProblem {
    FieldProblem(field: path, value: FieldProblem.shown(value), message: sentence)
  }

  /// The given fields of `contact`, in the order in which forms show them.
  static func all(of contact: Contact) -> [ContactField] {
    let names = [
      ContactField("firstName", "first name", .firstName, contact.firstName),
      ContactField("lastName", "last name", .lastName, contact.lastName),
      ContactField("company", "company", .company, contact.company),
    ]
    return names.compactMap(\.self)
      + contact.phones.map { ContactField($0, in: "phones", "phone", .phone) }
      + contact.emails.map { ContactField($0, in: "emails", "e-mail", .email) }
  }

  private init?(_ path: String, _ noun: String, _ kind: Kind, _ value: String) {
    let value = value.trimmingBlanks()
    guard !value.isEmpty else { return nil }
    self.path = path
    self.noun = noun
    self.kind = kind
    self.value = value
    label = nil
  }

  private init(_ entry: LabeledValue, in list: String, _ noun: String, _ kind: Kind) {
    path = "\(list)/\(entry.id)"
    self.noun = noun
    self.kind = kind
    value = entry.value.trimmingBlanks()
    label = entry.label
  }
}
