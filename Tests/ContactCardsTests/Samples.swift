// Small cards of invented people, and the shortest ways to read and write them.

import ContactCards
import Contacts
import Records

/// Reads all cards of `bytes`, fed in chunks of `chunkBytes`.
func cards(_ bytes: some Collection<UInt8>, chunkBytes: Int = .max) -> [Card] {
  var reader = CardReader()
  var rest = Array(bytes)[...]
  var result: [Card] = []
  while !rest.isEmpty {
    result += reader.feed(rest.prefix(chunkBytes))
    rest = rest.dropFirst(chunkBytes)
  }
  return result + reader.finish()
}

/// Reads all cards of `text`.
func cards(_ text: String) -> [Card] { cards(text.utf8) }

/// A card of these lines, in version 3.0 unless they say otherwise.
func card(_ lines: String..., version: String = "3.0") -> String { card(lines, version: version) }

/// A card of these lines.
func card(_ lines: [String], version: String) -> String {
  (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
}

/// The contact of a text with one card.
func contact(_ text: String) -> ImportedContact {
  ImportedContact(cards(text).first ?? Card(line: 0))
}

/// The contact as an address book keeps it.
func kept(_ imported: ImportedContact) throws -> Contact {
  var generator = SystemRandomNumberGenerator()
  let edit = ContactEdit.replacing(Contact(id: imported.recordName), with: imported.draft)
  let fields = try edit.changes(to: Fields(), using: &generator).applied(to: Fields())
  return ContactRecord.contact(named: imported.recordName, fields: fields)
}

/// The contact as a card of `version`, for a file or for a client of CardDAV.
func written(
  _ contact: Contact, _ version: CardVersion = .three, isForFile: Bool = false
) -> String {
  let card = CardComposer(version: version, isForFile: isForFile).card(of: contact) { media in
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }
  var bytes: [UInt8] = []
  CardWriter.write(card, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}
