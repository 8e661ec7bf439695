// Converts a card to a contact. Every property is read exactly once: into the corresponding property of the
// contact, or unchanged into `other`. Implausible values are retained and reported.

import Contacts
import Records

/// A contact that was read from a file and is to be imported.
package struct ImportedContact: Hashable, Sendable {
  /// Its position in the file: a line, a row, an item.
  package var line: Int
  /// The contact.
  package var draft: ContactDraft
  /// The title of the group that the file names for it, as written there; empty for none.
  package var groupTitle = ""
  /// Whether the file contains the same person before, in another group. Each of them is a contact of its own.
  package var isCopyInAnotherGroup = false
  /// An identity that is the same for each import, from the UID or else from the content.
  package var identity: UInt128
  /// An identity from the content, regardless of the UID and the group.
  package let contentIdentity: UInt128
  /// The problems that were found.
  package var findings: [CardFinding]

  /// Its name in a report.
  package var name: String {
    draft[.displayName].isEmpty ? draft.formattedName : draft[.displayName]
  }

  /// The name of its record, unless the address book already has it under another.
  package var recordName: RecordName {
    RecordName(stored: "card-" + Identifier<ImportedContact>(identity).description)
  }

  /// Creates a contact at `line`; its identity comes from its UID, or else from `content`.
  package init(
    line: Int, draft: ContactDraft, content: Fingerprint, findings: [CardFinding] = []
  ) {
    self.line = line
    self.draft = draft
    self.findings = findings
    contentIdentity = content.value
    guard !draft[.uid].isEmpty else {
      identity = content.value
      return
    }
    var fingerprint = Fingerprint()
    fingerprint.add("uid")
    fingerprint.add(draft[.uid])
    identity = fingerprint.value
  }
}

extension ImportedContact {
  /// Creates the contact that `card` describes.
  package init(_ card: Card) {
    var converter = CardConverter(card)
    converter.readAll()
    self.init(
      line: card.line, draft: converter.draft, content: Self.fingerprint(of: card),
      findings: converter.findings)
    groupTitle = converter.groupTitle
  }

  /// Whether a card's property with this name, which begins with `X-`, can be more than text that is kept.
  static func hasMeaning(_ name: String) -> Bool {
    SingleProperty(name: name) != nil || EntryProperty.named(name) != nil
      || VersionRules.standard.contains(String(name.dropFirst(2))) || extensions.contains(name)
      || CardGroup.isMember(name)
  }

  private static let extensions: Set = [
    "X-ABLABEL", "X-ABADR", "X-ABSHOWAS", "X-ADDRESSBOOKSERVER-KIND", CardConverter.emergency,
  ]

  /// The content of the card without its revision, its group and the program that wrote it.
  private static func fingerprint(of card: Card) -> Fingerprint {
    var fingerprint = Fingerprint()
    for property in card.properties
    where property.key != "REV" && property.key != "PRODID" && !GroupMark.isMark(property) {
      fingerprint.add(property.group)
      fingerprint.add(property.key)
      for parameter in property.parameters {
        fingerprint.add(parameter.name.uppercased())
        for value in parameter.values { fingerprint.add(value) }
      }
      fingerprint.add(property.value)
      if case .inline(let bytes) = property.content { fingerprint.add(bytes) }
    }
    return fingerprint
  }
}

/// The conversion of one card.
private struct CardConverter {
  var draft = ContactDraft()
  var findings: [CardFinding]
  private(set) var groupTitle = ""
  private let card: Card
  /// The card's properties under their own names.
  private let properties: [CardProperty]
  /// Those of `properties` that are one more of a kind that a card has once, by their positions.
  private let further: Set<Int>
  private let isGroup: Bool
  private var taken: Set<String> = []
  /// The label property of each group, by the group in lower case.
  private var labels: [String: CardProperty] = [:]
  private var countries: [String: CardProperty] = [:]
  /// Groups with a property among `other`, whose entries must retain the group.
  private var sharedGroups: Set<String> = []

  init(_ card: Card) {
    self.card = card
    let restored = card.restoredProperties
    properties = restored.map(\.property)
    further = Set(restored.indices.filter { restored[$0].isFurther })
    isGroup = CardGroup.isGroup(properties.lazy.map { ($0.key, $0.value) })
    findings = card.findings
  }

  mutating func readAll() {
    readGroups()
    for (index, property) in properties.enumerated() {
      read(property, isFurther: further.contains(index))
    }
    settleName()
    if isGroup { CardGroup.settle(&draft) }
    if draft == ContactDraft() {
      findings.append(
        CardFinding(line: card.line, outcome: .failed, "The card is empty."))
    }
  }

  // MARK: Groups

  private mutating func readGroups() {
    var labelled: Set<String> = []
    var addresses: Set<String> = []
    for property in properties where !property.group.isEmpty {
      let group = property.group.lowercased()
      guard let kind = EntryProperty.named(property.key) else { continue }
      labelled.insert(group)
      if kind.list == .addresses { addresses.insert(group) }
    }
    for property in properties where !property.group.isEmpty {
      let group = property.group.lowercased()
      let text = CardText.unescaped(property.value)
      let isPlain = property.parameters.isEmpty && !text.trimmingBlanks().isEmpty
      switch property.key {
      case "X-ABLABEL" where isPlain && labels[group] == nil && labelled.contains(group):
        labels[group] = property
      case "X-ABADR" where isPlain && countries[group] == nil && addresses.contains(group):
        countries[group] = property
      case "X-ABLABEL" where labels[group].map { $0.says(as: property) } ?? false: break
      case "X-ABADR" where countries[group].map { $0.says(as: property) } ?? false: break
      default:
        if EntryProperty.named(property.key) == nil { sharedGroups.insert(group) }
      }
    }
  }

  // MARK: Properties

  private mutating func read(_ property: CardProperty, isFurther: Bool) {
    guard !CardRevision.isRevision(property.name) else { return }
    var property = property
    if card.version == .two { property.value = Self.withEscapedCommas(property) }
    property.parameters.removeAll(where: CardWriter.isUndone)
    let group = property.group.lowercased()
    if isFurther {
      keep(property)
    } else if let single = SingleProperty(name: property.name) {
      read(property, as: single)
    } else if let kind = EntryProperty.named(property.key) {
      read(property, as: kind, group)
    } else {
      switch property.key {
      // A second equal label is ignored.
      case "X-ABLABEL" where labels[group].map { $0.says(as: property) } ?? false: break
      case "X-ABADR" where countries[group].map { $0.says(as: property) } ?? false: break
      case "CATEGORIES" where GroupMark.isMark(property): readMark(property)
      case "CATEGORIES" where property.parameters.isEmpty && property.group.isEmpty:
        draft.categories += CardText.pieces(property.value, at: UInt8(ascii: ",")).map {
          CardText.unescaped($0).trimmingBlanks()
        }.filter { !$0.isEmpty && !draft.categories.contains($0) }
      case "PHOTO", "LOGO", "SOUND", "KEY": readMedia(&property)
      case Self.emergency where property.value.isSame(as: "TRUE"): draft.isEmergency = true
      default: keep(property)
      }
    }
  }

  /// A contact has one group. Further marks are what they are for other programs, categories.
  private mutating func readMark(_ property: CardProperty) {
    let title = GroupMark.title(of: property)
    if title.isEmpty {
      find(property, .lost, "The group of the contact has no title and was ignored.")
    } else if groupTitle.isEmpty, !isGroup {
      groupTitle = title
    } else if !draft.categories.contains(title) {
      draft.categories.append(title)
    }
  }

  static let emergency = "X-EMERGENCY-CONTACT"

  /// In 2.1 a comma does not separate values within a name or an address.
  private static func withEscapedCommas(_ property: CardProperty) -> String {
    guard ["N", "ADR", "ORG", "NICKNAME"].contains(property.key) else { return property.value }
    return CardText.pieces(property.value, at: UInt8(ascii: ",")).joined(separator: "\\,")
  }

  private mutating func keep(_ property: CardProperty, restating text: ContactText? = nil) {
    draft[.other].append(
      ContactDraft.DraftEntry(
        texts: [
          .group: property.group, .name: property.name,
          .parameters: CardText.text(of: property.parameters), .value: property.value,
          .restates: text?.rawValue ?? "",
        ], content: property.content))
  }

  private mutating func read(_ property: CardProperty, as single: SingleProperty) {
    // NB: An empty property has no content and must not exclude a second one. Control characters are never written.
    let content = CardText.written(property.value)
    guard content.contains(where: { $0 != ";" && !$0.isWhitespace }) else {
      if !property.parameters.isEmpty { keep(property) }
      return
    }
    guard !taken.contains(single.rawValue), property.content == nil else { return keep(property) }
    var read = draft
    let (isExact, isSound) = single.read(property, into: &read)
    // Nor must one of which a contact represents nothing, such as a name with only a sixth part.
    guard single.isPresent(in: read) else { return keep(property) }
    taken.insert(single.rawValue)
    draft = read
    if !isExact || !property.group.isEmpty {
      var property = property
      if single.isDate { property.value = CardDate.withTime(property.value, in: .three) }
      keep(property, restating: single.texts[0])
    }
    guard !isSound else { return }
    find(
      property, .kept, "“\(CardText.shown(property.value))” is not a date; it is kept unchanged.")
  }

  private mutating func read(_ property: CardProperty, as kind: EntryProperty, _ group: String) {
    let label = labels[group].map {
      CardText.unescaped($0.value).trimmingBlanks()
    }
    var entry = kind.read(property, appleLabel: property.group.isEmpty ? nil : label)
    if sharedGroups.contains(group) { entry[.group] = property.group }
    if kind.list == .addresses, let country = countries[group] {
      entry[.countryCode] = CardText.unescaped(country.value).trimmingBlanks()
    }
    guard kind.list.substance.contains(where: { !entry[$0].isEmpty }) else {
      // An entry with only a label is stored, because other properties may refer to it.
      if !entry.texts.isEmpty, !isBare(entry) { keep(property) }
      return
    }
    draft[kind.list].append(entry)
    check(entry, property, kind.list)
  }

  /// Whether an entry has no content except its kinds.
  private func isBare(_ entry: ContactDraft.DraftEntry) -> Bool {
    entry.texts.keys.allSatisfy { [.label, .kinds, .preference, .name].contains($0) }
  }

  private mutating func check(
    _ entry: ContactDraft.DraftEntry, _ property: CardProperty, _ list: ContactList
  ) {
    if let sentence = EntryOddity.sentence(about: entry[.value], in: list) {
      find(property, .kept, sentence)
    }
  }

  private mutating func readMedia(_ property: inout CardProperty) {
    CardMedia.readDataAddress(&property)
    guard case .inline(let bytes) = property.content, property.key == "PHOTO",
      draft.photo == nil
    else {
      if property.value(of: "ENCODING") != nil, property.content == nil {
        find(property, .kept, "The picture or sound cannot be read; it is kept unchanged.")
      }
      return keep(property)
    }
    let type = CardMedia.imageType(bytes, property)
    draft.photo = ContactPhoto(media: .inline(bytes), mediaType: type)
    if let oddity = CardMedia.oddity(of: bytes) { find(property, .kept, oddity) }
    for said in ["TYPE", "MEDIATYPE", "VALUE", "ENCODING"] { property.take(said) }
    guard !property.parameters.isEmpty || !property.group.isEmpty else { return }
    // The other details of the picture are stored separately, without the bytes.
    property.content = nil
    draft[.other].append(
      ContactDraft.DraftEntry(texts: [
        .group: property.group, .name: property.name,
        .parameters: CardText.text(of: property.parameters), .restates: "photo",
      ]))
  }

  // MARK: The name

  /// Derives the name parts of a card that has only a full name, and removes a full name that adds nothing to
  /// the parts.
  private mutating func settleName() {
    let whole = draft[.displayName]
    if whole.isEmpty {
      // Elsewhere a nickname or number is shown in place of the name.
      guard card.version != .two, draft != ContactDraft() else { return }
      findings.append(
        CardFinding(
          line: card.line, property: "FN", outcome: .guessed,
          "The card has no display name (FN); the contact is shown as "
            + "“\(CardText.shown(draft.formattedName))”."
        ))
    } else if isCompany, draft[.company].isEmpty, !draft.hasNameParts, draft.formattedName != whole
    {
      draft[.company] = whole
    } else if !isGroup, !isCompany {
      draft.splitDisplayName()
    }
    draft.dropDisplayNameOfParts()
  }

  private var isCompany: Bool {
    !isGroup
      && properties.contains {
        ($0.key == "KIND" && $0.value.isSame(as: "org"))
          || ($0.key == "X-ABSHOWAS" && $0.value.isSame(as: "COMPANY"))
      }
  }

  private mutating func find(
    _ property: CardProperty, _ outcome: CardFinding.Outcome, _ sentence: String
  ) {
    guard findings.count < CardLimits.findingsPerCard else { return }
    findings.append(
      CardFinding(line: property.line, property: property.name, outcome: outcome, sentence))
  }
}

extension CardProperty {
  /// Whether two properties of one group and name have the same content.
  fileprivate func says(as other: CardProperty) -> Bool {
    value == other.value && parameters.isEmpty && other.parameters.isEmpty
  }
}

extension CardText {
  /// Returns the beginning of a text for a message.
  static func shown(_ text: String) -> String {
    let safe = text.unicodeScalars.prefix(200).filter {
      $0.properties.generalCategory != .control
    }
    return String(String(String.UnicodeScalarView(safe)).prefix(40))
  }
}
