// A contact → a card: the inverse of ImportedContact.swift, so that a card that was read, written
// and read again is the same contact. Reads of pictures are the caller's, who knows where they lie.

import Contacts
import Records

/// Makes cards of one version.
package struct CardComposer: Sendable {
  /// The version of the cards.
  package let version: CardVersion

  /// A composer for 3.0 or 4.0; 2.1 is only read.
  package init(version: CardVersion) {
    self.version = version == .two ? .three : version
  }

  /// The card of `contact`.
  /// - Parameters:
  ///   - modified: when the contact was last changed, which becomes its `REV`.
  ///   - bytes: the bytes of a picture or sound; `nil` where they are not at hand, and the property is
  ///     left out.
  package func card(
    of contact: Contact, modified: Timestamp? = nil, bytes: (ContactMedia) -> [UInt8]?
  ) -> Card {
    var draft = ContactDraft(contact).withoutControls
    if draft[.uid].isEmpty { draft[.uid] = contact.id.text }
    if draft[.displayName].isEmpty { draft[.displayName] = draft.formattedName }
    var composing = Composing(draft: draft, version: version)
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
  /// `time` to the second, as the version writes a `REV`: 3.0 in ISO 8601's extended form, 4.0 in its
  /// basic form.
  private func revision(_ time: Timestamp) -> String {
    let seconds = time.description.prefix { $0 != "." && $0 != "Z" } + "Z"
    return version == .three ? String(seconds) : seconds.filter { $0 != "-" && $0 != ":" }
  }
}

extension ContactDraft {
  /// The same with the control characters left out that a card cannot hold, and the blanks that were
  /// between them and the text, before anything is compared: what differs in them only is the same once
  /// it is written.
  fileprivate var withoutControls: ContactDraft {
    var draft = self
    draft.texts = texts.mapValues { CardText.written($0).trimmingBlanks() }
    draft.lists = Dictionary(
      uniqueKeysWithValues: lists.map { list, entries in
        (list, entries.map { $0.withoutControls(isTrimmed: list != .other) })
      })
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
  /// What a card wrote and nobody here understands, as most parameters, is kept with its blanks.
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
  /// A text as it is written into a card, before anything in it is escaped.
  fileprivate static func written(_ text: String) -> String {
    withoutControls(withUnixLineEnds(text))
  }
}

private struct Composing {
  let draft: ContactDraft
  let version: CardVersion
  var properties: [CardProperty] = []
  private var groups: Set<String> = []
  /// What each group says of its entries, by the group in lower case.
  private var labels: [String: String] = [:]
  private var countries: [String: String] = [:]
  /// Labels and countries of groups that are kept as they came: `item1.X-ABLABEL`.
  private let strays: Set<String>
  private var groupNumber = 0

  init(draft: ContactDraft, version: CardVersion) {
    self.draft = draft
    self.version = version
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
    if draft.isEmergency {
      properties.append(CardProperty(name: "X-EMERGENCY-CONTACT", value: "TRUE"))
    }
    addPhoto(bytes)
    // A `REV` that an earlier version kept from an import says when another program changed its copy.
    for entry in draft[.other]
    where entry[.restates].isEmpty && !CardRevision.isRevision(entry[.name]) {
      let property = CardPosition.converted(Self.property(entry), to: version)
      add(property, with: entry.content, bytes)
    }
  }

  /// What another program wrote, if it still says the same; else what we would write.
  private mutating func add(_ single: SingleProperty) {
    let kept = draft[.other].first { entry in
      entry[.restates] == single.texts[0].rawValue
        && single.says(Self.property(entry), as: draft)
    }
    if let kept {
      properties.append(Self.property(kept))
    } else if let made = single.property(of: draft, version) {
      properties.append(made)
    } else if single == .name || single == .formattedName {
      // Both are asked for by 3.0, even when there is nothing to say.
      let empty = single == .name ? ";;;;" : ""
      properties.append(CardProperty(name: single.rawValue, value: empty))
    }
  }

  private mutating func add(_ entry: ContactDraft.DraftEntry, _ list: ContactList) {
    // A label alone says nothing, and would not be read.
    guard list.substance.contains(where: { !entry[$0].isEmpty }) else { return }
    var entry = entry
    // It is read like this, and then it can be a label that needs no property.
    entry[.label] = EntryLabel.fromApple(entry[.label].trimmingBlanks())
    var property = EntryProperty.property(entry, in: list, version)
    let key = entry[.group].lowercased()
    // A label that is kept beside the contact's own would be taken for that of its group's entries,
    // unless theirs stands before it.
    let isOwnLabel =
      EntryProperty.needsLabel(property, entry, list)
      || (!entry[.label].isEmpty && strays.contains("\(key).X-ABLABEL"))
    let label = isOwnLabel ? EntryLabel.toApple(entry[.label]) : ""
    let country = entry[.countryCode]
    let isAway =
      (label.isEmpty && strays.contains("\(key).X-ABLABEL"))
      || (list == .addresses && country.isEmpty && strays.contains("\(key).X-ABADR"))
    property.group = isAway ? "" : entry[.group]
    // What a group says it says of all its entries: one that says something else leaves it.
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
