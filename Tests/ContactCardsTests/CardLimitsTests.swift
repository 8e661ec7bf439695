// Each limit from both sides: what is exactly as large as may be is read, what is larger by one is reported.

import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("A2, N3 limits of files")
struct CardLimitsTests {
  private func read(_ text: String, mediaBytesMaximum: Int = CardLimits.mediaBytes) -> [Card] {
    var reader = CardReader(mediaBytesMaximum: mediaBytesMaximum)
    return reader.feed(text.utf8) + reader.finish()
  }

  @Test(arguments: [0, 1])
  func `a card has 4,096 properties`(excess: Int) {
    let lines = Array(repeating: "X-A:1", count: CardLimits.propertiesPerCard + excess)
    let read = read("BEGIN:VCARD\nVERSION:4.0\n" + lines.joined(separator: "\n") + "\nEND:VCARD\n")
    #expect(read.map(\.properties.count) == [4096])
    #expect(read[0].findings.map(\.outcome) == (excess == 0 ? [] : [.lost]))
  }

  @Test(arguments: [0, 1])
  func `the lines of a card have a mebibyte`(excess: Int) {
    let half = "NOTE:" + String(repeating: "x", count: CardLimits.cardBytes / 2 - 5)
    let text = "BEGIN:VCARD\n\(half)\n\(half)\(String(repeating: "x", count: excess))\nEND:VCARD\n"
    let read = read(text)
    #expect(read.map(\.properties.count) == [2 - excess])
    #expect(read[0].findings.map(\.outcome) == (excess == 0 ? [] : [.lost]))
  }

  @Test(arguments: [(9, 1), (10, 1), (11, 0), (12, 0)])
  func `a picture has as many bytes as the caller allows`(byteCount: Int, kept: Int) {
    let line = "PHOTO;ENCODING=b:" + Base64.encode([UInt8](repeating: 7, count: byteCount))
    let read = read(card("FN:A", line), mediaBytesMaximum: 10)
    #expect(read[0].properties.count == 1 + kept)
    #expect(read[0].findings.map(\.outcome) == (kept == 1 ? [] : [.lost]))
  }

  @Test(arguments: CardVersion.allCases, [9, 10, 11, 3 << 20])
  func `a picture in a URI has the limit of a picture, in every version`(
    version: CardVersion, byteCount: Int
  ) {
    let isRead = byteCount != 11
    let limit = byteCount > 100 ? CardLimits.mediaBytes : 10
    let bytes = [UInt8](repeating: 7, count: byteCount)
    for line in ["PHOTO:data:image/png;base64,", "item1.LOGO;VALUE=uri:DATA:image/png;base64\\,"] {
      let read = read(
        "BEGIN:VCARD\nVERSION:\(version.rawValue)\nFN:A\n\(line)\(Base64.encode(bytes))\nEND:VCARD\n",
        mediaBytesMaximum: limit)
      #expect(read[0].properties.count == (isRead ? 2 : 1), "\(line)")
      #expect(read[0].findings.map(\.outcome) == (isRead ? [] : [.lost]), "\(line)")
      if isRead { #expect(read[0].properties[1].content == .inline(bytes), "\(line)") }
    }
  }

  @Test func `a URI that goes on in lines without a blank is one picture`() {
    let bytes = [UInt8](repeating: 7, count: 90)
    let text = Base64.encode(bytes)
    let read = read(
      card("FN:A", "PHOTO:data:image/png;base64,\(text.prefix(40))\n\(text.dropFirst(40))", "TEL:1")
    )
    #expect(read[0].properties.map(\.name) == ["FN", "PHOTO", "TEL"])
    #expect(read[0].properties[1].content == .inline(bytes))
  }

  @Test func `a card has 50 findings, and a loss is among them`() {
    let odd = Array(repeating: "no property", count: 60)
    let text = "BEGIN:VCARD\nFN:A\n" + odd.joined(separator: "\n")
    let guessed = read(text + "\nEND:VCARD\n")[0]
    #expect(guessed.findings.count == CardLimits.findingsPerCard)
    #expect(guessed.findings.allSatisfy { $0.outcome == .guessed })
    // The text of the lines is kept, whether or not a finding says so.
    #expect(guessed.properties[0].value == (["A"] + odd).joined(separator: "\\n"))
    let line = "PHOTO;ENCODING=b:AAAAAAAA"
    let lost = read(text + "\n\(line)\nEND:VCARD\n", mediaBytesMaximum: 5)[0]
    #expect(lost.findings.count == CardLimits.findingsPerCard)
    #expect(lost.findings.filter { $0.outcome == .lost }.map(\.property) == ["PHOTO"])
  }

  @Test(arguments: [(8, 1), (9, 2)])
  func `eight cards are nested, a ninth begins a new one`(depth: Int, count: Int) {
    let begins = Array(repeating: "BEGIN:VCARD", count: depth).joined(separator: "\n")
    let ends = Array(repeating: "END:VCARD", count: depth).joined(separator: "\n")
    let read = read("BEGIN:VCARD\nFN:A\nAGENT:\n\(begins)\nFN:B\n\(ends)\nTEL:1\nEND:VCARD\n")
    #expect(read.count == count)
    #expect(
      read[0].properties.map(\.name) == (depth == 8 ? ["FN", "AGENT", "TEL"] : ["FN", "AGENT"]))
  }

  @Test(arguments: [64, 65])
  func `a name and a group have 64 bytes`(length: Int) {
    let word = String(repeating: "n", count: length)
    let read = read(card("FN:A", "\(word):1", "\(word).TEL:2", "TEL:3"))[0]
    let names = length == 64 ? ["FN", word, "TEL", "TEL"] : ["FN", "TEL"]
    #expect(read.properties.map(\.name) == names)
    #expect(read.findings.count == (length == 64 ? 0 : 2))
    #expect(read.properties[0].value == (length == 64 ? "A" : "A\\n\(word):1\\n\(word).TEL:2"))
  }

  @Test(arguments: [10, 11])
  func `a line has as many bytes as the reader allows`(length: Int) {
    var reader = LineReader(lineBytesMax: 10)
    var lines: [String] = []
    let text = String(repeating: "x", count: length) + "\nnext"
    reader.feed(Array(text.utf8)) { lines.append("\($0.count) \($1) \($2)") }
    reader.finish { lines.append("\($0.count) \($1) \($2)") }
    #expect(lines == ["10 1 \(length > 10)", "4 2 false"])
  }

  @Test(arguments: [64, 65])
  func `JSON has 64 levels`(depth: Int) {
    for (open, inside, close) in [("[", "", "]"), ("{\"a\":", "{}", "}")] {
      let levels = inside.isEmpty ? depth : depth - 1
      let text =
        String(repeating: open, count: levels) + inside + String(repeating: close, count: levels)
      #expect((JSONNode(Array(text.utf8)) != nil) == (depth == 64), "\(open)")
    }
  }

  @Test(arguments: [0, 1])
  func `a card in JSON has 4,096 properties, and more are reported`(excess: Int) {
    let property = JSONNode.array([.string("x-a"), .object([]), .string("text"), .string("1")])
    let properties = Array(repeating: property, count: CardLimits.propertiesPerCard + excess)
    let card = JCard.card(.array([.string("vcard"), .array(properties)]), line: 1)
    #expect(card?.properties.count == 4096)
    #expect(card?.findings.map(\.outcome) == (excess == 0 ? [] : [.lost]))
  }

  @Test func `a contact in JSON and a row have 50 findings`() {
    let members = (0..<60).map { "\"shoe\($0)\":1" }.joined(separator: ",")
    let names = (0..<60).map { "Birthday" + String(repeating: " ", count: $0) }
    let fields = Array(repeating: "soon", count: 60)
    for (text, format) in [
      ("{\(members)}", ContactFileFormat.json),
      (names.joined(separator: ",") + "\n" + fields.joined(separator: ","), .csv),
    ] {
      var file = ContactFile(format: format)
      let read = file.feed(text.utf8) + file.finish()
      #expect(read.map(\.findings.count) == [CardLimits.findingsPerCard], "\(format)")
    }
  }

  @Test func `long parameters are left out and reported, and the value stays`() throws {
    let parameters = String(repeating: ";TYPE=CELL", count: 100_000)
    let read = cards("BEGIN:VCARD\nVERSION:3.0\nFN:A\nTEL\(parameters):+1 555 0100\nEND:VCARD\n")
    let property = try #require(read.first?.properties.last)
    #expect(property.value == "+1 555 0100")
    #expect(property.parameters.count < 10_000)
    #expect(read.first?.findings.contains { $0.message.contains("parameters") } == true)
  }
}
