// Contacts in a file or an editor: YAML, or JSON as `show --json` prints it. YAML's implicit types are not
// applied: a ZIP code is not an octal number, and “no” may be a word. Every plain value is a text, except for
// Boolean properties. TypedYAML.swift keeps what YAML would take for a comment.

import AgentAPI
import Contacts
import Foundation
import Records
import Yams

/// A text with contacts.
struct ContactDocument: Sendable {
  /// The maximum size; no typed contact is larger.
  static let bytesMax = 1 << 20
  /// The maximum number of values, because YAML aliases can expand a few lines to billions of values.
  private static let valuesMax = 100_000

  /// The contacts, in order.
  let contacts: [FormValue]
  /// The lines of the first contact's properties, counted from 1, by path: `phones/0/value`.
  let lines: [String: Int]

  /// Parses `text`: one contact, a list of them, or an object with a list under `contacts`.
  /// - Parameter place: The name of the text in messages.
  init(_ text: String, place: String) throws(ControlFailure) {
    var reading = Reading(text, place: place, valuesLeft: Self.valuesMax)
    let first = text.first { !$0.isWhitespace }
    let value =
      first == "{" || first == "["
      ? try Self.json(text, place: place) : try reading.yaml()
    let list = value[ContactsView.listKey].map(\.items) ?? (value.isList ? value.items : [value])
    for contact in list {
      guard case .object = contact else {
        throw .content("\(place): expected lines of the form “firstName: Ada”.")
      }
    }
    var contacts: [FormValue] = []
    for contact in list { contacts.append(try Self.normalized(contact, place: place)) }
    self.contacts = contacts
    lines = reading.lines
  }

  /// Alternative names of properties.
  private static let aliases = [
    "prefix": ContactText.namePrefix.rawValue, "first": ContactText.firstName.rawValue,
    "middle": ContactText.middleName.rawValue, "last": ContactText.lastName.rawValue,
    "suffix": ContactText.nameSuffix.rawValue,
    "phone": ContactList.phones.rawValue, "email": ContactList.emails.rawValue,
    "address": ContactList.addresses.rawValue, "url": ContactList.urls.rawValue,
    "category": ContactItem.Key.categories.name,
  ]

  /// Returns the contact with standard names, lists of objects and Boolean values.
  /// - Throws: If a field is there under two of its names.
  private static func normalized(
    _ contact: FormValue, place: String
  ) throws(ControlFailure) -> FormValue {
    guard case .object(let properties) = contact else { return contact }
    var result: [String: FormValue] = [:]
    for (key, value) in properties {
      let name = aliases[key] ?? key
      guard key == name || properties[name] == nil else {
        throw .content(
          "\(place) contains “\(key)” and “\(name)”, which are the same field.",
          hint: "Keep one of the two.")
      }
      if name == ContactItem.Key.emergency.name {
        result[name] = flag(value)
      } else if wordLists.contains(name) {
        result[name] = words(value)
      } else if let list = ContactList(rawValue: name) {
        result[name] = entries(value, of: list)
      } else {
        result[name] = value
      }
    }
    return .object(result)
  }

  private static func flag(_ value: FormValue) -> FormValue {
    switch value.text?.lowercased() {
    case "yes", "true", "on": .flag(true)
    case "no", "false", "off", "": .flag(false)
    default: value == .null ? .flag(false) : value
    }
  }

  private static let wordLists: Set = [
    ContactItem.Key.categories.name, ContactItem.Key.departments.name,
  ]

  /// Words may be written as a list, or as one text with commas.
  private static func words(_ value: FormValue) -> FormValue {
    value.text.map { .list(FormValue.words($0)) } ?? value
  }

  /// A list may be written as one value, as several values, or as entries.
  private static func entries(_ value: FormValue, of list: ContactList) -> FormValue {
    let items = value.isList ? value.items : value.isEmpty ? [] : [value]
    return .list(
      items.map { item in
        guard list != .addresses, let text = item.text else { return numbered(item) }
        return .entry([.value: .text(text)])
      })
  }

  /// Converts the only numeric property of an entry.
  private static func numbered(_ entry: FormValue) -> FormValue {
    guard case .object(var properties) = entry else { return entry }
    if let number = properties[.preference]?.text.flatMap({ Int($0) }) {
      properties[.preference] = .number(number)
    }
    return .object(properties)
  }

  private static func json(_ text: String, place: String) throws(ControlFailure) -> FormValue {
    do {
      return try JSONDecoder().decode(FormValue.self, from: Data(text.utf8))
    } catch {
      throw .content("\(place) cannot be read as JSON: \(Self.sentence(on: error)).")
    }
  }

  private static func sentence(on error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
    let cause = context.underlyingError as NSError?
    let detail = cause?.userInfo[NSDebugDescriptionErrorKey] as? String
    return (detail ?? context.debugDescription).trimmingCharacters(in: ["."])
  }
}

extension FormValue {
  /// Whether the value is a list.
  var isList: Bool {
    guard case .list = self else { return false }
    return true
  }
}

extension ControlFailure {
  /// Creates an error about unreadable input.
  static func content(_ message: String, hint: String = "") -> Self {
    .error(.invalidArguments, message, hint: hint)
  }
}

/// The conversion of one YAML text.
private struct Reading {
  let typed: TypedYAML
  let place: String
  var valuesLeft: Int
  var lines: [String: Int] = [:]

  init(_ text: String, place: String, valuesLeft: Int) {
    typed = TypedYAML(text)
    self.place = place
    self.valuesLeft = valuesLeft
  }

  mutating func yaml() throws(ControlFailure) -> FormValue {
    let root: Node?
    do {
      root = try Yams.compose(yaml: typed.text)
    } catch {
      throw .content("\(place) cannot be read as YAML: \(Self.sentence(on: error)).")
    }
    guard let root else { throw .content("\(place) is empty.") }
    return try value(of: root, path: "")
  }

  private mutating func value(of node: Node, path: String) throws(ControlFailure) -> FormValue {
    valuesLeft -= 1
    guard valuesLeft > 0 else {
      throw .content("\(place) has more entries than a contact can have.")
    }
    if let line = node.mark?.line, lines[path] == nil { lines[path] = line }
    switch node {
    case .scalar(let scalar):
      let isNothing = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
      return isNothing ? .null : .text(typed.restored(scalar.string))
    case .sequence(let sequence):
      var items: [FormValue] = []
      for (index, item) in sequence.enumerated() {
        items.append(try value(of: item, path: Self.join(path, "\(index)")))
      }
      return .list(items)
    case .mapping(let mapping):
      var properties: [String: FormValue] = [:]
      for (key, item) in mapping {
        guard let name = (key.scalar?.string).map(typed.restored) else {
          throw .content("\(place), line \(key.mark?.line ?? 0): the name of a field must be text.")
        }
        properties[name] = try value(of: item, path: Self.join(path, name))
      }
      return .object(properties)
    case .alias:
      throw .content("\(place) contains a YAML alias (“*name”). Write the value instead.")
    }
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path)/\(name)"
  }

  private static func sentence(on error: any Error) -> String {
    guard let error = error as? YamlError else { return "\(error)" }
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return "line \(mark.line), \(problem)"
    case .duplicatedKeysInMapping(let duplicates, let context):
      return "line \(context.mark.line), \(duplicates.joined(separator: ", ")) appears twice"
    default: return "\(error)"
    }
  }
}
