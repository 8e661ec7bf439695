// A card as in its file: properties in order, each with its line number, without interpretation. Values are
// in the form that vCard 3.0 and 4.0 share, one line with escaped separators; encodings and character sets
// are already decoded.

import Contacts

/// One card of a file.
package struct Card: Hashable, Sendable {
  /// The line at which it begins, counted from 1.
  package var line: Int
  /// Its version; 3.0 if the card does not state one.
  package var version: CardVersion
  /// Its properties in order, without `BEGIN`, `END` and `VERSION`.
  package var properties: [CardProperty]
  /// The problems found so far.
  package var findings: [CardFinding]

  /// Creates an empty card.
  package init(line: Int, version: CardVersion = .three) {
    self.line = line
    self.version = version
    properties = []
    findings = []
  }
}

/// A version of the format.
package enum CardVersion: String, Hashable, Sendable, CaseIterable {
  case two = "2.1"
  case three = "3.0"
  case four = "4.0"
}

/// One property of a card.
package struct CardProperty: Hashable, Sendable {
  /// The line at which it begins, counted from 1.
  package var line: Int
  /// The group that connects it with other properties of the card: `item1`; empty for none.
  package var group: String
  /// Its name as written; for comparisons see `key`.
  package var name: String
  /// Its parameters, in order.
  package var parameters: [CardParameter]
  /// Its value in one line, escapes included, without control characters; empty if there is `content`.
  package var value: String {
    get { text }
    set { text = CardText.withoutControls(newValue) }
  }
  /// The decoded base-64 value.
  package var content: ContactMedia?
  private var text: String

  /// Creates a property with this name and value.
  package init(
    line: Int = 0, group: String = "", name: String, parameters: [CardParameter] = [],
    value: String = "", content: ContactMedia? = nil
  ) {
    self.line = line
    self.group = group
    self.name = name
    self.parameters = parameters
    text = CardText.withoutControls(value)
    self.content = content
  }

  /// Appends a line to the value. The cost does not depend on the length of the value.
  package mutating func append(line: String) {
    text += "\\n" + CardText.withoutControls(line)
  }

  /// The name in upper case; names are case-insensitive.
  package var key: String { name.uppercased() }

  /// Returns all values of a parameter, in order, from all its occurrences.
  package func values(of parameter: String) -> [String] {
    parameters.filter { $0.name.isSame(as: parameter) }.flatMap(\.values)
  }

  /// Returns the first value of a parameter.
  package func value(of parameter: String) -> String? {
    parameters.first { $0.name.isSame(as: parameter) }?.values.first
  }

  /// Removes all occurrences of a parameter and returns their values.
  @discardableResult
  package mutating func take(_ parameter: String) -> [String] {
    guard parameters.contains(where: { $0.name.isSame(as: parameter) }) else { return [] }
    let found = values(of: parameter)
    parameters.removeAll { $0.name.isSame(as: parameter) }
    return found
  }
}

extension CardProperty {
  /// Inserts a parameter as the first, replacing those with its name.
  mutating func set(_ parameter: CardParameter) {
    take(parameter.name)
    parameters.insert(parameter, at: 0)
  }
}

/// One parameter of a property.
package struct CardParameter: Hashable, Sendable {
  /// Its name as written.
  package var name: String
  /// Its values, without quotes.
  package var values: [String]

  /// Creates a parameter with these values, without control characters, which must not be written.
  package init(_ name: String, _ values: [String]) {
    self.name = name
    self.values = values.map(CardText.withoutControls)
  }
}

extension StringProtocol {
  /// Whether two names are equal, ignoring the case of ASCII letters.
  func isSame(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The byte, with an ASCII letter in lower case.
  var asciiLowercased: UInt8 {
    UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// Whether it is a space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
