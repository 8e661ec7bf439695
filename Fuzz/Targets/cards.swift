// modules: Records ByteCounts CICU Collation Images Contacts ContactCards
// libraries: icui18n icuuc
//
// Checks the card reader with any bytes. Reading always ends, within the fuzzer's limits of time and
// memory. Every card that was read can be written. The written text is one card, and reading it gives the
// same contact. The size of the chunks makes no difference. The same is true of a group card.

import ContactCards
import Contacts
import Glibc
import Records

/// Runs one input: the first byte gives the chunk size, the rest is the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCards(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let chunkBytes = Int(start[0] & 63) + 1
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let whole = read(bytes, chunkBytes: bytes.count)
  require(
    read(bytes, chunkBytes: chunkBytes) == whole, "The size of the chunks changed the result.")
  for imported in whole.prefix(8) {
    for version in [CardVersion.three, .four] { check(imported, version) }
  }
  return 0
}

/// Ends the process and prints `sentence`, which an optimized `precondition` would not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("The sentence above describes the failure.")
}

private func read(_ bytes: [UInt8], chunkBytes: Int) -> [ImportedContact] {
  var file = ContactFile()
  var contacts: [ImportedContact] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    contacts += file.feed(rest.prefix(chunkBytes))
    rest = rest.dropFirst(chunkBytes)
  }
  contacts += file.finish()
  _ = file.takeFindings()
  return contacts
}

private func check(_ imported: ImportedContact, _ version: CardVersion) {
  let first = written(
    contact(of: imported), in: imported.groupTitle, version, isGroup: imported.isGroup)
  var reader = CardReader()
  let cards = reader.feed(first) + reader.finish()
  require(cards.count == 1, "A written card was read back as \(cards.count) cards.")
  let again = ImportedContact(cards[0])
  require(
    again.isGroup == imported.isGroup,
    "A group was read back as a contact, or a contact as a group.")
  let second = written(contact(of: again), in: again.groupTitle, version, isGroup: again.isGroup)
  require(
    second == first,
    """
    The second export differs from the first.
    \(String(decoding: first, as: UTF8.self))
    \(String(decoding: second, as: UTF8.self))
    """)
}

private func contact(of imported: ImportedContact) -> Contact {
  var generator = FixedGenerator()
  let edit = ContactEdit.replacing(Contact(id: imported.recordName), with: imported.draft)
  let changes = try? edit.changes(to: Fields(), using: &generator)
  require(changes != nil, "A contact that was read cannot be stored.")
  return ContactRecord.contact(
    named: imported.recordName, fields: changes?.applied(to: Fields()) ?? Fields())
}

private func written(
  _ contact: Contact, in group: String, _ version: CardVersion, isGroup: Bool
) -> [UInt8] {
  let composer = CardComposer(version: version)
  func bytes(_ media: ContactMedia) -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }
  let card =
    isGroup
    ? composer.card(ofGroup: contact, members: ["u-1", "mailto:a@b"], bytes: bytes)
    : composer.card(of: contact, group: group, bytes: bytes)
  var bytes: [UInt8] = []
  CardWriter.write(card, to: &bytes)
  return bytes
}

private struct FixedGenerator: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
