// The UIDs of one file. Some programs write the same UID into the cards of many people. The first card
// retains the UID; a later card with another name becomes a separate contact, which is identified by its
// content.

import Contacts
import Records

/// The UIDs of a file so far, each with the name and the group of its first card.
package struct UIDRegister: Sendable {
  /// The maximum number of UIDs that are stored (48 MiB). After that, a repeated UID is taken for the same
  /// person.
  private static let entriesMaximum = 1_000_000

  private struct FirstCard {
    let name: UInt64
    let group: UInt64
  }

  /// Digests, because a file may contain UIDs and names of any length.
  private var firstCards: [UInt64: FirstCard] = [:]

  /// Creates an empty register.
  package init() {}

  /// Returns `contact` as it is to be imported: without its UID, and with a finding, if another person in the
  /// file has that UID; as a copy if the same person was in another group before.
  package mutating func resolved(_ contact: ImportedContact) -> ImportedContact {
    let uid = contact.draft[.uid]
    guard !uid.isEmpty, !contact.isGroup else { return contact }
    let card = FirstCard(
      name: Self.digest(contact.name.trimmingBlanks().lowercased()),
      group: Self.digest(contact.groupTitle))
    guard let first = firstCards[Self.digest(uid)] else {
      if firstCards.count < Self.entriesMaximum { firstCards[Self.digest(uid)] = card }
      return contact
    }
    guard first.name != card.name else {
      var copy = contact
      copy.isCopyInAnotherGroup = first.group != card.group
      return copy
    }
    var separate = contact
    separate.draft[.uid] = ""
    separate.identity = contact.contentIdentity
    separate.findings.append(
      CardFinding(
        line: contact.line, property: "UID", outcome: .kept,
        "Another contact in this file has the same UID; this one was imported without it."))
    return separate
  }

  private static func digest(_ text: String) -> UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.add(text)
    return UInt64(truncatingIfNeeded: fingerprint.value)
  }
}
