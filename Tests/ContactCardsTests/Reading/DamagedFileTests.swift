// Files that were cut, damaged or changed at any byte: reading ends, the findings are bounded, and the other
// contacts of the file are read.

import Contacts
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2, N3 damaged files")
struct DamagedFileTests {
  private static let before = card("UID:a", "FN:Ada Quill", "N:Quill;Ada;;;", "NOTE:first")
  private static let after = card("UID:c", "FN:Cora Bell", "N:Bell;Cora;;;", "NOTE:last")
  /// A card with folds, groups, quotes, escapes and a picture.
  private static let middle = card(
    "UID:b", "FN:Łucja 李 😀", "N:李;Łucja\\, A;;;", "TEL;TYPE=CELL,pref;X-A=\"b:c\":+46 70",
    "item1.EMAIL:b@example.com", "item1.X-ABLabel:Boat", "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0K",
    " GgoAAAAA", "NOTE:one\\ntwo\\;", " three", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-06-05")

  private func read(_ bytes: [UInt8]) -> [ImportedContact] {
    cards(bytes).map { ImportedContact($0) }
  }

  /// The findings that the converter adds without a limit: no end, no full name, an empty card.
  private static let findingsMaximum = CardLimits.findingsPerCard + 3

  private static let draftBefore = contact(before).draft
  private static let draftAfter = contact(after).draft

  private func expectNeighbors(_ read: [ImportedContact], _ place: String) {
    #expect(read.count == 2 || read.count == 3, "\(place): \(read.count) cards")
    #expect(read.first?.draft == Self.draftBefore, "\(place)")
    #expect(read.last?.draft == Self.draftAfter, "\(place)")
    #expect(read.allSatisfy { $0.findings.count <= Self.findingsMaximum }, "\(place)")
  }

  @Test func `a card that is cut at any byte costs no other card`() {
    let middle = Array(Self.middle.utf8)
    for count in 0...middle.count {
      let bytes =
        Array(Self.before.utf8) + middle.prefix(count) + [0x0D, 0x0A] + Array(Self.after.utf8)
      expectNeighbors(read(bytes), "cut at \(count)")
    }
  }

  @Test(arguments: [0x01, 0x20, 0xFF] as [UInt8])
  func `a card with any byte changed costs no other card`(mask: UInt8) {
    let middle = Array(Self.middle.utf8)
    // The last line end belongs to the next card as well.
    for index in 0..<(middle.count - 2) {
      var changed = middle
      changed[index] ^= mask
      let bytes = Array(Self.before.utf8) + changed + Array(Self.after.utf8)
      expectNeighbors(read(bytes), "byte \(index) xor \(mask)")
    }
  }

  @Test func `a file that ends at any byte has the cards before the end`() {
    let bytes = Array((Self.before + Self.middle).utf8)
    for count in 0...bytes.count {
      let read = read(Array(bytes.prefix(count)))
      let isWhole = count >= Self.before.utf8.count - 2
      #expect(read.count <= 2 && (!isWhole || read.first?.draft == Self.draftBefore))
      // The card that has no end says so.
      let isOpen = count > Self.before.utf8.count + 10 && count < bytes.count - 2
      let open = read.last?.findings.contains { $0.message.contains("no END:VCARD") } ?? false
      #expect(!isOpen || open, "ends at \(count)")
    }
  }

  @Test func `random changes give the same cards in chunks of any size, with bounded findings`() {
    let file = Array((Self.before + Self.middle + Self.after).utf8)
    let marks = [
      "=", "\"", ";ENCODING=QUOTED-PRINTABLE:", "BEGIN:VCARD\n", "END:VCARD\r", "AGENT:\n", "\u{0}",
      "\r\n ", "VERSION:2.1\n", "KIND:group\n", "MEMBER:x\n", ";CHARSET=SHIFT_JIS:",
    ].map { Array($0.utf8) }
    for seed in 1...150 {
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = file
      for _ in 0...random.below(8) {
        let index = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[index] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(index..<min(index + random.below(9), bytes.count))
        case 2: bytes.insert(contentsOf: random.one(of: marks), at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(random.below(60)), at: index)
        }
      }
      let whole = cards(bytes)
      #expect(cards(bytes, chunkBytes: 1 + random.below(9)) == whole, "seed \(seed)")
      for card in whole {
        let findings = ImportedContact(card).findings
        #expect(findings.count <= Self.findingsMaximum, "seed \(seed)")
        #expect(findings.allSatisfy { $0.line >= 1 && !$0.message.isEmpty }, "seed \(seed)")
      }
    }
  }

  // MARK: JSON and tables

  @Test func `a list in JSON that ends at any byte has the items before the end`() {
    let items = [
      #"{"id":"a","firstName":"Ada","phones":[{"value":"1"}]}"#,
      #"["vcard",[["fn",{},"text","Bo [\"}"]]]"#, #"{"note":"]}","lastName":"李 \u0041"}"#,
    ]
    var text = "["
    var ends: [Int] = []
    for item in items {
      text += (ends.isEmpty ? "" : ", \n") + item
      ends.append(text.utf8.count)
    }
    let bytes = Array((text + "]").utf8)
    let names = ["Ada", "Bo [\"}", "A"]
    for count in 0...bytes.count {
      var file = ContactFile(format: .json)
      let read = file.feed(bytes.prefix(count)) + file.finish()
      let whole = ends.filter { $0 <= count }.count
      #expect(read.count == whole, "ends at \(count)")
      for (contact, name) in zip(read, names) { #expect(contact.name.hasSuffix(name)) }
      #expect(file.takeFindings().count <= 1, "ends at \(count)")
    }
  }

  @Test func `a table that ends at any byte has the rows before the end`() {
    let rows = [
      "First Name,Last Name,Notes", "Ada,Quill,\"one\r\n\"\"two\"\", three\"", "Bo,Ek,",
      "\"Cora\",Bell,x",
    ]
    let bytes = Array((rows.joined(separator: "\r\n") + "\r\n").utf8)
    var ends: [Int] = []
    for row in rows { ends.append((ends.last ?? 0) + row.utf8.count + 2) }
    func read(_ bytes: [UInt8]) -> [ImportedContact] {
      var file = ContactFile(format: .csv)
      return file.feed(bytes) + file.finish()
    }
    let whole = read(bytes)
    #expect(whole.map { $0.draft[.note] } == ["one\n\"two\", three", "", "x"])
    for count in 0...bytes.count {
      let found = read(Array(bytes.prefix(count)))
      let complete = max(0, ends.filter { $0 - 1 <= count }.count - 1)
      #expect(found.prefix(complete) == whole.prefix(complete), "ends at \(count)")
      #expect(found.count - complete <= 1, "ends at \(count)")
    }
  }
}
