// Converts a contact to a card, the inverse of ImportedContact.swift: a card that is read, written and read
// again gives the same contact. The caller supplies the bytes of pictures and sounds.

import Contacts
import Records

/// Composes cards of one version.
package struct CardComposer: Sendable {
  /// The version of the cards.
  package let version: CardVersion

  /// Whether the cards go into a file, which any program may read. Custom labels are then written in the form that phones read
  /// too, next to Apple's, and no property has a name that strict programs refuse.
  let isForFile: Bool

  /// Creates a composer for 3.0 or 4.0; version 2.1 is only read.
  /// - Parameter isForFile: whether the cards go into a file, which any program may read, and not to a client of CardDAV.
  package init(version: CardVersion, isForFile: Bool = false) {
    self.version = version == .two ? .three : version
    self.isForFile = isForFile
  }

  /// Returns the card of `contact`.
  /// - Parameters:
  ///   - group: The title of its group; empty for the default group, which needs no property.
  ///   - modified: When the contact was last changed; becomes its `REV`.
  ///   - bytes: Returns the bytes of a picture or sound; `nil` if they are unavailable, so that the property is
  ///     omitted.
  package func card(
    of contact: Contact, group: String = "", modified: Timestamp? = nil,
    bytes: (ContactMedia) -> [UInt8]?
  ) -> Card {
    var card = composed(contact, groupTitle: group, modified, bytes)
    card.conform(isStrict: isForFile)
    return card
  }

  /// Returns the card with names that its version may not have.
  func composed(
    _ contact: Contact, groupTitle: String, _ modified: Timestamp?,
    _ bytes: (ContactMedia) -> [UInt8]?
  ) -> Card {
    var draft = ContactDraft(contact).withoutControls
    if draft[.uid].isEmpty { draft[.uid] = contact.id.text }
    if draft[.displayName].isEmpty { draft[.displayName] = draft.formattedName }
    var composing = Composing(
      draft: draft, version: version, groupTitle: groupTitle, hasCustomTypes: isForFile)
    composing.composeAll(bytes)
    var card = Card(line: 0, version: version)
    card.properties = composing.properties
    if let modified {
      card.properties.append(CardProperty(name: "REV", value: revision(modified)))
    }
    return card
  }
}

extension CardComposer {
  /// Returns `time` in seconds as the version writes a `REV`: ISO 8601's extended form in 3.0, its basic form
  /// in 4.0.
  private func revision(_ time: Timestamp) -> String {
    let seconds = time.description.prefix { $0 != "." && $0 != "Z" } + "Z"
    return version == .three ? String(seconds) : seconds.filter { $0 != "-" && $0 != ":" }
  }
}

extension ContactDraft {
  /// The draft without control characters, which a card cannot contain, and trimmed again. This comes before
  /// all comparisons: texts that differ only in control characters are equal once they are written.
  fileprivate var withoutControls: ContactDraft {
    var draft = self
    draft.texts = texts.mapValues { CardText.written($0).trimmingBlanks() }
    for (list, entries) in lists {
      draft.lists[list] = entries.map { $0.withoutControls(isTrimmed: list != .other) }
    }
    draft.departments = departments.map { CardText.written($0).trimmingBlanks() }.filter {
      !$0.isEmpty
    }
    draft.categories = []
    for category in categories.map({ CardText.written($0).trimmingBlanks() })
    where !category.isEmpty && !draft.categories.contains(category) {
      draft.categories.append(category)
    }
    return draft
  }
}

extension ContactDraft.DraftEntry {
  /// Texts in the card's syntax, such as most parameters, keep their blanks.
  fileprivate func withoutControls(isTrimmed: Bool) -> Self {
    var entry = self
    for (part, text) in texts {
      let written = CardText.written(text)
      entry[part] = isTrimmed && part != .parameters ? written.trimmingBlanks() : written
    }
    return entry
  }
}

extension CardText {
  /// Returns a text as it is written into a card or a calendar, before escaping: without control characters, and with
  /// one kind of line breaks.
  package static func written(_ text: String) -> String {
    withoutControls(withUnixLineEnds(text))
  }
}

private struct Composing {
  let draft: ContactDraft
  let version: CardVersion
  private let groupTitle: String
  private let hasCustomTypes: Bool
  var properties: [CardProperty] = []
  private var groups: Set<String> = []
  /// The label of each group, by the group in lower case.
  private var labels: [String: String] = [:]
  private var countries: [String: String] = [:]
  /// Labels and countries of groups that are stored among the other properties: `item1.X-ABLABEL`.
  private let strays: Set<String>
  private var groupNumber = 0

  init(draft: ContactDraft, version: CardVersion, groupTitle: String, hasCustomTypes: Bool) {
    self.hasCustomTypes = hasCustomTypes
    self.draft = draft
    self.version = version
    self.groupTitle = groupTitle
    strays = Set(
      draft[.other].filter { !$0[.group].isEmpty }.map {
        "\($0[.group].lowercased()).\($0[.name].uppercased())"
      })
  }

  mutating func composeAll(_ bytes: (ContactMedia) -> [UInt8]?) {
    for list in ContactList.allCases {
      groups.formUnion(draft[list].map { $0[.group].lowercased() })
    }
    let leading: [SingleProperty] = [.uid, .formattedName, .name, .nickname, .organization]
    for single in leading { add(single) }
    for single in SingleProperty.allCases where !leading.contains(single) { add(single) }
    for list in ContactList.allCases where list != .other {
      for entry in draft[list] { add(entry, list) }
    }
    if !draft.categories.isEmpty {
      let words = draft.categories.map(CardText.escaped)
      properties.append(CardProperty(name: "CATEGORIES", value: words.joined(separator: ",")))
    }
    if let mark = GroupMark.property(titled: groupTitle) { properties.append(mark) }
    if draft.isEmergency {
      properties.append(CardProperty(name: "X-EMERGENCY-CONTACT", value: "TRUE"))
    }
    addPhoto(bytes)
    // A `REV` that a program stored through the API is the time of its own copy.
    for entry in draft[.other]
    where entry[.restates].isEmpty && !CardRevision.isRevision(entry[.name]) {
      let property = CardPosition.converted(Self.property(entry), to: version)
      // A property of another program must not name a group here.
      guard !GroupMark.isMark(property) else { continue }
      add(property, with: entry.content, bytes)
    }
  }

  /// Writes the original property of another program if it still has the same content; otherwise our own.
  private mutating func add(_ single: SingleProperty) {
    let kept = draft[.other].first { entry in
      entry[.restates] == single.texts[0].rawValue
        && single.says(Self.property(entry), as: draft)
    }
    if let kept {
      var property = Self.property(kept)
      if single.isDate { property.value = CardDate.withTime(property.value, in: version) }
      properties.append(property)
    } else if let made = single.property(of: draft, version) {
      properties.append(made)
    } else if single == .name || single == .formattedName {
      // Version 3.0 requires both properties, even if they are empty.
      let empty = single == .name ? ";;;;" : ""
      properties.append(CardProperty(name: single.rawValue, value: empty))
    }
  }

  private mutating func add(_ entry: ContactDraft.DraftEntry, _ list: ContactList) {
    // An entry with only a label has no content and would be ignored by the reader.
    guard list.substance.contains(where: { !entry[$0].isEmpty }) else { return }
    var entry = entry
    // The reader does this too; the resulting label may need no property.
    entry[.label] = EntryLabel.fromApple(entry[.label].trimmingBlanks())
    var property = EntryProperty.property(
      entry, in: list, version, hasCustomTypes: hasCustomTypes)
    let key = entry[.group].lowercased()
    // A label among the other properties would be read as that of its group's entries, unless their own label
    // precedes it.
    let isOwnLabel =
      EntryProperty.needsLabel(property, entry, list, version)
      || (!entry[.label].isEmpty && strays.contains("\(key).X-ABLABEL"))
    let label = isOwnLabel ? EntryLabel.toApple(entry[.label]) : ""
    let country = entry[.countryCode]
    let isAway =
      (label.isEmpty && strays.contains("\(key).X-ABLABEL"))
      || (list == .addresses && country.isEmpty && strays.contains("\(key).X-ABADR"))
    property.group = isAway ? "" : entry[.group]
    // A group has one label for all its entries, so an entry with another label leaves the group.
    let isSaid = labels[key] != nil
    let isOther =
      labels[key].map { $0 != label } ?? false
      || (list == .addresses && countries[key].map { $0 != country } ?? false)
    if property.group.isEmpty ? !(label.isEmpty && country.isEmpty) : isOther {
      property.group = freshGroup()
    }
    let isFresh = property.group.lowercased() != key && !property.group.isEmpty
    properties.append(property)
    if !label.isEmpty, isFresh || !isSaid {
      properties.append(
        CardProperty(group: property.group, name: "X-ABLabel", value: CardText.escaped(label)))
    }
    if !country.isEmpty, isFresh || countries[key] == nil {
      properties.append(
        CardProperty(group: property.group, name: "X-ABADR", value: CardText.escaped(country)))
    }
    guard !property.group.isEmpty else { return }
    labels[property.group.lowercased()] = label
    if list == .addresses { countries[property.group.lowercased()] = country }
  }

  private mutating func freshGroup() -> String {
    repeat { groupNumber += 1 } while groups.contains("item\(groupNumber)")
    return "item\(groupNumber)"
  }

  private mutating func addPhoto(_ bytes: (ContactMedia) -> [UInt8]?) {
    guard let photo = draft.photo, let content = bytes(photo.media) else { return }
    let said = draft[.other].first { $0[.restates] == "photo" }
    var property = CardMedia.photo(
      photo.mediaType, content, version,
      further: CardText.parameters(of: said?[.parameters] ?? ""))
    property.group = said?[.group] ?? ""
    properties.append(property)
  }

  private mutating func add(
    _ property: CardProperty, with content: ContactMedia?, _ bytes: (ContactMedia) -> [UInt8]?
  ) {
    guard let content else { return properties.append(property) }
    guard let read = bytes(content) else { return }
    properties.append(CardMedia.property(property, with: read, version))
  }

  private static func property(_ entry: ContactDraft.DraftEntry) -> CardProperty {
    CardProperty(
      group: entry[.group], name: entry[.name],
      parameters: CardText.parameters(of: entry[.parameters]), value: entry[.value])
  }
}
