// modules: Records Collation Images Contacts ContactCards
// libraries: _FoundationICU
//
// Whatever a file holds, reading it ends, and takes no more than the file is worth. What was read
// can be written; what was written is one card, and read again it is the same contact. How a file
// is cut into chunks makes no difference. The same holds for a card that is a group.

import ContactCards
import Contacts
import Glibc
import Records

/// One input: its first byte is the size of the chunks, the rest a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCards(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let chunkBytes = Int(start[0] & 63) + 1
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let whole = read(bytes, chunkBytes: bytes.count)
  require(read(bytes, chunkBytes: chunkBytes) == whole, "The chunks made a difference.")
  for imported in whole.prefix(8) {
    for version in [CardVersion.three, .four] { check(imported, version) }
  }
  return 0
}

/// Ends the process with a sentence, which an optimized `precondition` does not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("See above.")
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
  let first = written(kept(imported), version, isGroup: imported.isGroup)
  var reader = CardReader()
  let cards = reader.feed(first) + reader.finish()
  require(cards.count == 1, "A written card is \(cards.count) cards when read.")
  let again = ImportedContact(cards[0])
  require(again.isGroup == imported.isGroup, "A group and a contact are not the same.")
  let second = written(kept(again), version, isGroup: again.isGroup)
  require(
    second == first,
    """
    A second export differs.
    \(String(decoding: first, as: UTF8.self))
    \(String(decoding: second, as: UTF8.self))
    """)
}

private func kept(_ imported: ImportedContact) -> Contact {
  var dice = FixedDice()
  let edit = ContactEdit.replacing(Contact(id: imported.recordName), with: imported.draft)
  let changes = try? edit.changes(to: Fields(), using: &dice)
  require(changes != nil, "A contact that was read cannot be kept.")
  return ContactRecord.contact(
    named: imported.recordName, fields: changes?.applied(to: Fields()) ?? Fields())
}

private func written(_ contact: Contact, _ version: CardVersion, isGroup: Bool) -> [UInt8] {
  let composer = CardComposer(version: version)
  func bytes(_ media: ContactMedia) -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }
  let card =
    isGroup
    ? composer.card(ofGroup: contact, members: ["u-1", "mailto:a@b"], bytes: bytes)
    : composer.card(of: contact, bytes: bytes)
  var bytes: [UInt8] = []
  CardWriter.write(card, to: &bytes)
  return bytes
}

private struct FixedDice: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
