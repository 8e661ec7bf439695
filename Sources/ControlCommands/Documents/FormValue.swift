// JSON values for requests whose keys this program need not know. The agent knows all properties of a contact
// and rejects others, so new properties of the agent work here without changes.

import AgentAPI
import Contacts
import Records

/// A JSON value.
enum FormValue: Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Int)
  case text(String)
  case list([FormValue])
  case object([String: FormValue])

  /// The value under `key` of an object.
  subscript(key: String) -> FormValue? {
    guard case .object(let properties) = self else { return nil }
    return properties[key]
  }

  /// The value of a property of a contact or entry.
  subscript(key: ContactItem.Key) -> FormValue? { self[key.name] }

  /// Returns an object with these properties.
  static func entry(_ properties: [ContactItem.Key: FormValue]) -> FormValue {
    .object(Dictionary(uniqueKeysWithValues: properties.map { ($0.key.name, $0.value) }))
  }

  /// The text; `nil` for any other kind.
  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// Returns the words of a text, which commas separate.
  static func words(_ text: String) -> [FormValue] {
    text.split(separator: ",").map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }
      .map(FormValue.text)
  }

  /// The items of a list; empty for any other kind.
  var items: [FormValue] {
    guard case .list(let items) = self else { return [] }
    return items
  }

  /// Whether the value has no content. Absent and empty are the same in a contact.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .flag(let flag): !flag
    case .number: false
    case .text(let text): text.allSatisfy(\.isWhitespace)
    case .list(let items): items.isEmpty
    case .object(let properties): properties.isEmpty
    }
  }
}

extension [String: FormValue] {
  /// The value of a property of a contact or entry.
  subscript(key: ContactItem.Key) -> FormValue? {
    get { self[key.name] }
    set { self[key.name] = newValue }
  }
}

extension ContactItem.Key {
  static let label = Self(EntryText.label.rawValue)
  static let value = Self(EntryText.value.rawValue)
  static let parameters = Self(EntryText.parameters.rawValue)
  static let preference = Self(EntryText.preference.rawValue)
  /// The name of a card's property.
  static let propertyName = Self(EntryText.name.rawValue)
}

extension FormValue: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      let pairs = try container.allKeys.map {
        ($0.stringValue, try container.decode(FormValue.self, forKey: $0))
      }
      self = .object(Dictionary(pairs) { first, _ in first })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var items: [FormValue] = []
      while !container.isAtEnd { items.append(try container.decode(FormValue.self)) }
      self = .list(items)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .flag(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    case .number(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    case .object(let properties):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in properties { try container.encode(value, forKey: Key(key)) }
    }
  }
}
