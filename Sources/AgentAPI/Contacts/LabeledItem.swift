/// A phone, an e-mail address or another entry of a contact with a label and a value.
package struct LabeledItem: Codable, Hashable, Sendable {
  package var id: String
  /// What it is for: `home`, `work`, or any other word.
  package var label: String
  package var value: String
  @Sparse package var kinds: [String]
  /// From 1, the most preferred, to 100.
  @Sparse package var preference: Int?
  /// The group that connects it with other properties of its card.
  @Sparse package var group: String
  /// The name of the card's property, if not the usual one.
  @Sparse package var name: String
  /// Further parameters in the card's syntax.
  @Sparse package var parameters: String

  package init(
    id: String, label: String, value: String, kinds: [String] = [], preference: Int? = nil,
    group: String = "", name: String = "", parameters: String = ""
  ) {
    self.id = id
    self.label = label
    self.value = value
    self.kinds = kinds
    self.preference = preference
    self.group = group
    self.name = name
    self.parameters = parameters
  }
}

extension LabeledItem {
  /// Writes the entry, as the synthesized `encode(to:)` does.
  func write(to writer: inout JSONWriter) {
    writer.open(.object)
    writer.member(CodingKeys.id, id)
    writer.member(CodingKeys.label, label)
    writer.member(CodingKeys.value, value)
    writer.member(CodingKeys.kinds, sparse: kinds)
    if let preference { writer.member(CodingKeys.preference, preference) }
    writer.member(CodingKeys.group, sparse: group)
    writer.member(CodingKeys.name, sparse: name)
    writer.member(CodingKeys.parameters, sparse: parameters)
    writer.close(.object)
  }

  private static let valueName = JSONNames([CodingKeys.value])

  /// Reads the values of a list, without labels.
  static func values(_ scanner: inout JSONScanner) throws -> [String] {
    var values: [String] = []
    try scanner.list { scanner in
      var found = ""
      try scanner.object(valueName) { scanner, _ in found = try scanner.string() }
      values.append(found)
    }
    return values
  }
}
