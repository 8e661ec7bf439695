// Reads the members of a contact in JSON. Each value has a place in the contact or is reported: a file of another program
// may have other members, or texts where a contact has lists.

import Contacts
import Records

/// The conversion of one contact.
struct ContactNodeReader {
  private let line: Int
  /// Members that describe a contact without being part of it.
  private let metadata: Set<String>
  private(set) var draft = ContactDraft()
  private(set) var findings: [CardFinding] = []
  private var seen: Set<String> = []

  /// Creates a reader of the contact at `line` that ignores the members in `metadata`.
  init(line: Int, metadata: Set<String>) {
    self.line = line
    self.metadata = metadata
  }

  /// Reads one member.
  mutating func read(_ member: JSONNode.Member) {
    guard !metadata.contains(member.key) else { return }
    guard seen.insert(member.key).inserted else {
      return find(
        member.key, "“\(CardText.shown(member.key))” is there twice; the first one is used.")
    }
    if let text = ContactText(name: member.key) {
      draft[text] = self.text(member.value, of: member.key)
    } else if let list = ContactList(rawValue: member.key) {
      read(member.value, in: list)
    } else {
      readOther(member)
    }
  }

  private mutating func readOther(_ member: JSONNode.Member) {
    switch (member.key, member.value) {
    case (_, .null): break
    case ("departments", let value): draft.departments = words(value, of: member.key)
    case ("categories", let value): draft.categories = words(value, of: member.key)
    case ("emergency", .boolean(let flag)): draft.isEmergency = flag
    case ("photo", let photo):
      guard let bytes = photo["data"]?.text.flatMap({ Base64.decode($0.utf8) }) else {
        return find(member.key, "The photo is not there in base-64.")
      }
      draft.photo = ContactPhoto(media: .inline(bytes), mediaType: photo["mediaType"]?.text ?? "")
    case ("emergency", _): unreadable(member.key)
    default: find(member.key, "A contact has no property “\(CardText.shown(member.key))”.")
    }
  }

  private mutating func text(_ value: JSONNode, of name: String) -> String {
    if value.text == nil, value != .null { unreadable(name) }
    return value.text ?? ""
  }

  /// Returns the words of a list. One text is a list of one word.
  private mutating func words(_ value: JSONNode, of name: String) -> [String] {
    guard case .array(let items) = value else {
      let word = text(value, of: name)
      return word.isEmpty ? [] : [word]
    }
    return items.map { text($0, of: name) }.filter { !$0.isEmpty }
  }

  // MARK: Lists

  private mutating func read(_ value: JSONNode, in list: ContactList) {
    switch value {
    case .array(let items): draft[list] = items.compactMap { entry($0, in: list) }
    case .null: break
    default: draft[list] = [value].compactMap { entry($0, in: list) }
    }
  }

  private mutating func entry(
    _ node: JSONNode, in list: ContactList
  ) -> ContactDraft.DraftEntry? {
    var entry = ContactDraft.DraftEntry(texts: [:])
    if let text = node.text, list.substance == [.value] {
      entry[.value] = text
      return entry
    }
    guard case .object(let members) = node else {
      if node != .null { unreadable(list.rawValue) }
      return nil
    }
    for member in members { read(member, of: list, into: &entry) }
    return entry.texts.isEmpty && entry.content == nil ? nil : entry
  }

  private mutating func read(
    _ member: JSONNode.Member, of list: ContactList, into entry: inout ContactDraft.DraftEntry
  ) {
    let place = "\(list.rawValue)/\(member.key)"
    switch EntryText(rawValue: member.key) {
    case let property? where list.properties.contains(property):
      entry[property] =
        property == .kinds
        ? words(member.value, of: place).joined(separator: ",") : text(member.value, of: place)
    case _ where member.key == "id" || member.value == .null: break
    case _ where member.key == "content":
      guard let bytes = member.value["data"]?.text.flatMap({ Base64.decode($0.utf8) }) else {
        return find(place, "The content is not there in base-64.")
      }
      entry.content = .inline(bytes)
    default: find(place, "\(Self.article(list)) has no property “\(CardText.shown(member.key))”.")
    }
  }

  private static func article(_ list: ContactList) -> String {
    let noun = list.noun
    return "aeiou".contains(noun.prefix(1)) ? "An \(noun)" : "A \(noun)"
  }

  private mutating func unreadable(_ name: String) {
    find(name, "The value of “\(CardText.shown(name))” has another form than that of a contact.")
  }

  private mutating func find(_ property: String, _ sentence: String) {
    guard findings.count < CardLimits.findingsPerCard else { return }
    findings.append(
      CardFinding(line: line, property: property, outcome: .lost, sentence))
  }
}
