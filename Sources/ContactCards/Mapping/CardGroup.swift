// Groups in cards: in 4.0 a card of the kind `group` with a MEMBER for each contact, in earlier versions
// Apple's properties with the same meaning. A member is named by its UID, usually as a URI. Groups are stored
// with the names of 4.0 and written with those of the requested version.

import Contacts
import Records

/// Cards that describe groups.
package enum CardGroup {
  private static let kinds = ["KIND", "X-ADDRESSBOOKSERVER-KIND"]
  private static let members = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"]
  private static let dress = "urn:uuid:"

  /// Whether the kind among a card's properties is a group.
  static func isGroup(_ properties: some Sequence<(key: String, value: String)>) -> Bool {
    properties.contains {
      kinds.contains($0.key) && $0.value.trimmingBlanks().isSame(as: "group")
    }
  }

  /// Renames the properties of a group to those of 4.0.
  static func settle(_ draft: inout ContactDraft) {
    for index in draft[.other].indices {
      let name = draft[.other][index][.name].uppercased()
      if kinds.contains(name) { draft[.other][index][.name] = kinds[0] }
      if members.contains(name) { draft[.other][index][.name] = members[0] }
    }
  }

  /// Whether `entry` of a group names a member.
  static func isMember(_ entry: ContactDraft.DraftEntry) -> Bool {
    isMember(entry[.name].uppercased())
  }

  /// Whether a property with this name, in upper case, names a member.
  package static func isMember(_ name: String) -> Bool { members.contains(name) }

  /// Returns the UID of a member from its URI.
  package static func uid(ofMember value: String) -> String {
    let text = CardText.unescaped(value).trimmingBlanks()
    return text.lowercased().hasPrefix(dress) ? String(text.dropFirst(dress.count)) : text
  }

  /// Returns the URI of the card with this UID.
  static func address(ofUID uid: String) -> String {
    let isAddress = uid.prefix { $0 != ":" }.count < uid.count && uid.first?.isLetter == true
    return CardText.escaped(isAddress ? uid : dress + uid)
  }

  /// Creates the group for a category that no card described.
  package static func group(titled title: String) -> Contact {
    var fingerprint = Fingerprint()
    fingerprint.add("group")
    fingerprint.add(title)
    let id = Identifier<CardGroup>(fingerprint.value).description
    var group = Contact(id: RecordName(stored: "group-" + id))
    group.displayName = title
    return group
  }
}

extension Card {
  /// Returns the card of a group without the members with these UIDs.
  package func withoutMembers(_ uids: Set<String>) -> Card {
    var card = self
    card.properties.removeAll { property in
      CardGroup.isMember(property.key) && uids.contains(CardGroup.uid(ofMember: property.value))
    }
    return card
  }
}

extension ImportedContact {
  /// Whether this is a group of contacts and not a contact.
  package var isGroup: Bool {
    CardGroup.isGroup(draft[.other].lazy.map { ($0[.name].uppercased(), $0[.value]) })
  }

  /// The UIDs of the members, each once, in order. The contacts may not exist.
  package var memberUIDs: [String] {
    var seen: Set<String> = []
    return draft[.other].filter(CardGroup.isMember).map { CardGroup.uid(ofMember: $0[.value]) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Removes the members that are not among `uids`.
  package mutating func keepMembers(_ uids: Set<String>) {
    draft[.other].removeAll { entry in
      CardGroup.isMember(entry) && !uids.contains(CardGroup.uid(ofMember: entry[.value]))
    }
  }

  /// Returns the names that the record of a group's member can have: a contact created here has its own, and an imported
  /// one has a name derived from its UID.
  package static func recordNames(ofUID uid: String) -> [RecordName] {
    [try? RecordName(uid)].compactMap(\.self)
      + [recordName(ofUID: uid), recordName(ofUID: CardGroup.address(ofUID: uid))]
  }

  /// Returns the record name of a contact that is imported with this UID.
  package static func recordName(ofUID uid: String) -> RecordName {
    var draft = ContactDraft()
    draft[.uid] = uid
    return ImportedContact(line: 0, draft: draft, content: Fingerprint()).recordName
  }
}

extension CardComposer {
  /// Returns the card of a group.
  /// - Parameters:
  ///   - uids: Members in addition to those that `group` itself names.
  ///   - modified, bytes: As for a contact's card.
  package func card(
    ofGroup group: Contact, members uids: [String], modified: Timestamp? = nil,
    bytes: (ContactMedia) -> [UInt8]?
  ) -> Card {
    var card = composed(group, groupTitle: "", modified, bytes)
    let isFour = version == .four
    let kind = isFour ? "KIND" : "X-ADDRESSBOOKSERVER-KIND"
    let member = isFour ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER"
    var known: Set<String> = []
    var isSaid = false
    for index in card.properties.indices {
      let property = card.properties[index]
      if property.key == "MEMBER" {
        card.properties[index].name = member
        known.insert(CardGroup.uid(ofMember: property.value))
      } else if CardGroup.isGroup([(property.key, property.value)]) {
        card.properties[index].name = kind
        isSaid = true
      }
    }
    if !isSaid { card.properties.append(CardProperty(name: kind, value: "group")) }
    for uid in uids where known.insert(uid).inserted {
      card.properties.append(
        CardProperty(name: member, value: CardGroup.address(ofUID: uid)))
    }
    card.conform(isStrict: isForFile)
    return card
  }
}
