// The UIDs of one file. Some programs write one UID into the cards of many people. The first card keeps
// the UID; a later card with another name becomes a contact of its own, known again by its content.

import Contacts
import Records

/// The UIDs that a file has named so far, each with the name of its first card.
package struct UIDRegister: Sendable {
  /// The UIDs that are remembered: 32 MiB. Beyond it a repeated UID is taken for the same person.
  private static let entriesMaximum = 1_000_000

  /// Digests, because a file decides how long its UIDs and names are.
  private var names: [UInt64: UInt64] = [:]

  /// A register without UIDs.
  package init() {}

  /// `contact` as it is to be imported: without its UID, and with a finding, if another person in the
  /// file has that UID.
  package mutating func resolved(_ contact: ImportedContact) -> ImportedContact {
    let uid = contact.draft[.uid]
    guard !uid.isEmpty, !contact.isGroup else { return contact }
    let (key, name) = (Self.digest(uid), Self.digest(contact.name.trimmingBlanks().lowercased()))
    guard let known = names[key] else {
      if names.count < Self.entriesMaximum { names[key] = name }
      return contact
    }
    guard known != name else { return contact }
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
