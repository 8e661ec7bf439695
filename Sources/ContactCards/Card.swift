// A card as it stands in a file: properties in order, each with its line. Nothing is known here of
// what they mean. Values are kept in the one form that vCard 3.0 and 4.0 share: one line, with
// backslashes before what would separate; encodings and character sets are gone by then.

import Contacts

/// One card of a file.
package struct Card: Hashable, Sendable {
  /// The line of its beginning, counted from 1.
  package var line: Int
  /// The version it says it has; 3.0 where it says none.
  package var version: CardVersion
  /// Its properties in order, without `BEGIN`, `END` and `VERSION`.
  package var properties: [CardProperty]
  /// What was odd about it so far.
  package var findings: [CardFinding]

  /// A card that says nothing yet.
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
  /// The line it begins at, counted from 1.
  package var line: Int
  /// What ties it to other properties of the card: `item1`; empty for none.
  package var group: String
  /// Its name as written; compare `key`.
  package var name: String
  /// Its parameters, in order.
  package var parameters: [CardParameter]
  /// Its value in one line, escapes included, without control characters; empty where `content` is
  /// there.
  package var value: String {
    get { text }
    set { text = CardText.withoutControls(newValue) }
  }
  /// The bytes that its value was the base-64 of.
  package var content: ContactMedia?
  private var text: String

  /// A property of this name and value.
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

  /// Adds a line to the value. It takes time for the line only, however long the value is.
  package mutating func append(line: String) {
    text += "\\n" + CardText.withoutControls(line)
  }

  /// The name in upper case: names are the same in any case.
  package var key: String { name.uppercased() }

  /// All values of a parameter, in order, of however many mentions.
  package func values(of parameter: String) -> [String] {
    parameters.filter { $0.name.isSame(as: parameter) }.flatMap(\.values)
  }

  /// The first value of a parameter.
  package func value(of parameter: String) -> String? {
    parameters.first { $0.name.isSame(as: parameter) }?.values.first
  }

  /// Takes every mention of a parameter out and returns its values.
  @discardableResult
  package mutating func take(_ parameter: String) -> [String] {
    guard parameters.contains(where: { $0.name.isSame(as: parameter) }) else { return [] }
    let found = values(of: parameter)
    parameters.removeAll { $0.name.isSame(as: parameter) }
    return found
  }
}

extension CardProperty {
  /// Puts a parameter first, in place of what the property has of its name.
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

  /// A parameter with these values, without their control characters: none may be written.
  package init(_ name: String, _ values: [String]) {
    self.name = name
    self.values = values.map(CardText.withoutControls)
  }
}

extension String {
  /// Whether two names of the format are the same: in any case of ASCII letters.
  func isSame(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  var asciiLowercased: UInt8 {
    UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// Whether it is a space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
