// The filter of an addressbook-query (RFC 6352, section 10.5): which cards a client looks for.

import ContactCards

/// A condition on cards.
package struct CardFilter: Hashable, Sendable {
  /// How conditions are combined.
  enum Test: Hashable, Sendable {
    case any, all

    init(_ element: XMLTree) throws(DAVError) {
      switch element.attributes["test"] {
      case nil, "anyof": self = .any
      case "allof": self = .all
      default: throw CardFilter.unsupported
      }
    }

    func holds<Condition>(
      _ conditions: [Condition], _ body: (Condition) -> Bool
    ) -> Bool {
      switch self {
      case .any: conditions.contains(where: body)
      case .all: conditions.allSatisfy(body)
      }
    }
  }

  /// A condition on the properties with one name.
  struct PropertyCondition: Hashable, Sendable {
    let group: String?
    let name: String
    let isAbsent: Bool
    let test: Test
    let texts: [TextMatch]
    let parameters: [ParameterCondition]
  }

  /// A condition on a parameter of a property.
  struct ParameterCondition: Hashable, Sendable {
    let name: String
    let isAbsent: Bool
    let text: TextMatch?
  }

  private let test: Test
  private let properties: [PropertyCondition]

  /// The maximum number of conditions, those within others included.
  private static let conditionsMaximum = 200

  static let unsupported = DAVError(
    .forbidden, "This filter is not supported.", condition: XMLTree(.card("supported-filter")))

  /// Reads a `CARDDAV:filter`.
  /// - Throws: 403 with `supported-filter`, or `supported-collation`, for what the server cannot evaluate.
  init(_ element: XMLTree) throws(DAVError) {
    test = try Test(element)
    var properties: [PropertyCondition] = []
    for child in element.children {
      guard child.name == .card("prop-filter") else { throw Self.unsupported }
      properties.append(try PropertyCondition(child))
    }
    let count = properties.map { 1 + $0.texts.count + $0.parameters.count }.reduce(0, +)
    guard count <= Self.conditionsMaximum else { throw .tooLarge("The filter") }
    self.properties = properties
  }

  /// Whether every card meets the condition, because it has none.
  package var isEmpty: Bool { properties.isEmpty }

  /// Whether the condition names a group of properties, such as `item1` of `item1.EMAIL`.
  package var namesGroups: Bool { properties.contains { $0.group != nil } }

  /// The names of the properties that the condition is about, in upper case.
  package var propertyNames: Set<String> { Set(properties.map(\.name)) }

  /// Sets of words in lower case. Every contact whose card meets the condition has all words of one of them, perhaps
  /// within others; `nil` if that cannot be said. They are looked for in the text of the search, so that not every card
  /// has to be composed.
  package var necessaryWords: Set<Set<String>>? {
    isEmpty ? nil : test.necessaryWords(properties.map(\.necessaryWords))
  }

  /// Whether `card` meets the condition. A filter without conditions is met by every card.
  package func matches(_ card: Card) -> Bool {
    isEmpty || test.holds(properties) { $0.matches(card) }
  }
}

extension CardFilter.Test {
  /// Returns the words of several conditions together: of any of them those of all, and of all the fewest sets.
  func necessaryWords(_ conditions: [Set<Set<String>>?]) -> Set<Set<String>>? {
    let known = conditions.compactMap(\.self)
    switch self {
    case .any:
      return known.count == conditions.count ? known.reduce(into: []) { $0.formUnion($1) } : nil
    case .all: return known.min { $0.count < $1.count }
    }
  }
}

extension CardFilter.PropertyCondition {
  /// The properties whose words a search finds.
  private static let searched: Set<String> = [
    "FN", "N", "NICKNAME", "EMAIL", "TEL", "ORG", "TITLE", "ROLE", "NOTE", "ADR", "URL",
    "CATEGORIES",
  ]

  var necessaryWords: Set<Set<String>>? {
    guard !isAbsent, Self.searched.contains(name), !texts.isEmpty || !parameters.isEmpty else {
      return nil
    }
    return test.necessaryWords(
      texts.map { $0.necessaryWords.map { [$0] } } + parameters.map { _ in nil })
  }

  init(_ element: XMLTree) throws(DAVError) {
    guard let name = element.attributes["name"]?.uppercased() else { throw CardFilter.unsupported }
    let parts = name.split(separator: ".", maxSplits: 1)
    group = parts.count == 2 ? String(parts[0]) : nil
    self.name = parts.last.map { String($0) } ?? name
    test = try CardFilter.Test(element)
    isAbsent = element[.card("is-not-defined")] != nil
    var texts: [TextMatch] = []
    for text in element.all(.card("text-match")) { texts.append(try TextMatch(text)) }
    self.texts = texts
    var parameters: [CardFilter.ParameterCondition] = []
    for parameter in element.all(.card("param-filter")) {
      parameters.append(try CardFilter.ParameterCondition(parameter))
    }
    self.parameters = parameters
  }

  func matches(_ card: Card) -> Bool {
    let found = card.properties.filter { property in
      property.key == name && (group.map { property.group.uppercased() == $0 } ?? true)
    }
    guard !isAbsent else { return found.isEmpty }
    guard !texts.isEmpty || !parameters.isEmpty else { return !found.isEmpty }
    return found.contains { property in
      let value = CardText.unescaped(property.value)
      let conditions: [Bool] =
        texts.map { $0.matches(value) } + parameters.map { $0.matches(property) }
      return test.holds(conditions) { $0 }
    }
  }
}

extension CardFilter.ParameterCondition {
  init(_ element: XMLTree) throws(DAVError) {
    guard let name = element.attributes["name"]?.uppercased() else { throw CardFilter.unsupported }
    self.name = name
    isAbsent = element[.card("is-not-defined")] != nil
    text = try element[.card("text-match")].map { text throws(DAVError) in try TextMatch(text) }
  }

  func matches(_ property: CardProperty) -> Bool {
    let values = property.values(of: name)
    if isAbsent { return values.isEmpty }
    guard let text else { return !values.isEmpty }
    return values.contains { text.matches($0) }
  }
}
