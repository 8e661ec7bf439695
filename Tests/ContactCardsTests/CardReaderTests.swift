// Files as they really come: every line end, many character sets, junk, and cards cut short.

import Contacts
import Testing

@testable import ContactCards

@Suite("A2 reading cards")
struct CardReaderTests {
  @Test(arguments: ["\n", "\r", "\r\n", "\r\r\n"])
  func `every line end is one`(end: String) {
    let text = card("FN:Ada Quill", "NOTE:a", " b", "TEL:1").replacing("\r\n", with: end)
    let read = cards(text + text)
    #expect(read.count == 2)
    #expect(read[0].properties.map(\.value) == ["Ada Quill", "ab", "1"])
    #expect(read[0].findings.isEmpty)
  }

  @Test func `chunks of any size give the same cards`() {
    let text =
      "junk\r\n" + card("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=90=", "=D0=B4=D0=B0")
      + card("PHOTO;ENCODING=b:/9j/", " AAAA", "item1.TEL:1", "item1.X-ABLabel:Boat")
    let whole = cards(text)
    #expect(whole.count == 2)
    for size in [1, 2, 3, 7, 64] {
      #expect(cards(text.utf8, chunkBytes: size) == whole)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `UTF-16 is read in either order, with a mark or without`(isLittle: Bool, hasMark: Bool) {
    let units = (hasMark ? [0xFEFF] : []) + Array(card("FN:Łucja 李 😀").utf16)
    let bytes = units.flatMap {
      isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
    }
    #expect(cards(bytes).first?.properties.first?.value == "Łucja 李 😀")
  }

  @Test func `a mark before UTF-8 is passed over`() {
    #expect(cards("\u{FEFF}" + card("FN:A")).count == 1)
  }

  @Test func `lines are unfolded before characters are put together`() {
    let bytes =
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ma".utf8) + [0xC5, 0x0D, 0x0A, 0x20, 0x82]
      + Array("gorzata\r\nEND:VCARD\r\n".utf8)
    #expect(cards(bytes).first?.properties.first?.value == "Małgorzata")
  }

  @Test func `a folded Cyrillic name in quoted-printable is read`() {
    let read = cards(
      card(
        "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9F=D0=B5=D1=82=", "=D1=80=D0=BE=D0=B2=D0=",
        "=B0;=D0=9E=D0=BB=D1=8C=D0=B3=D0=B0;;;", "TEL;CELL:+7 000 000", version: "2.1"))
    #expect(read[0].properties[0].value == "Петрова;Ольга;;;")
    #expect(read[0].properties[0].parameters.isEmpty)
    #expect(read[0].properties[1].values(of: "TYPE") == ["CELL"])
  }

  @Test func `a line end in quoted-printable stays inside its value`() {
    let read = cards(card("NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo", version: "2.1"))
    #expect(read[0].properties[0].value == "one\\ntwo")
  }

  @Test func `what is not UTF-8 is Windows-1252 and told of`() {
    let bytes =
      Array("BEGIN:VCARD\nVERSION:2.1\nN:Andr".utf8) + [0xE9, 0x80]
      + Array(";\nEND:VCARD\n".utf8)
    let read = cards(bytes)
    #expect(read[0].properties[0].value == "André€;")
    #expect(read[0].findings.map(\.line) == [3])
    #expect(read[0].findings.map(\.outcome) == [.guessed])
  }

  @Test func `declared character sets are believed`() {
    let japanese: [UInt8] = [0x8E, 0x52, 0x93, 0x63]
    let bytes =
      Array("BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=SHIFT_JIS:".utf8) + japanese
      + Array(";\nFN;CHARSET=ISO-8859-1:Jos".utf8) + [0xE9] + Array("\nEND:VCARD\n".utf8)
    let read = cards(bytes)
    #expect(read[0].properties.map(\.value) == ["山田;", "José"])
    #expect(read[0].findings.isEmpty)
  }

  @Test(arguments: ["X-NO-SUCH-SET", "UTF-8//TRANSLIT", "", "../etc"])
  func `an unknown character set is reported, and the text is still read`(name: String) {
    let read = cards(card("FN;CHARSET=\(name):Zoë"))
    #expect(read[0].properties[0].value == "Zoë")
  }

  @Test func `a card inside a card stays inside`() {
    let read = cards(
      card("FN:Outer", "AGENT:", "BEGIN:VCARD", "FN:Inner", "TEL:2", "END:VCARD", "TEL:1"))
    #expect(read.count == 1)
    #expect(read[0].properties.map(\.name) == ["FN", "AGENT", "TEL"])
    #expect(read[0].properties[1].value == "BEGIN:VCARD\\nFN:Inner\\nTEL:2\\nEND:VCARD\\n")
  }

  @Test func `text between cards is reported once, and no card is lost`() {
    var reader = CardReader()
    let text = "mail\nheader\n" + card("FN:A") + "\n\nrubbish\n" + card("FN:B")
    let read = reader.feed(text.utf8) + reader.finish()
    #expect(read.map { $0.properties[0].value } == ["A", "B"])
    #expect(reader.takeFindings().map(\.line) == [1, 9])
    #expect(reader.takeFindings().isEmpty)
  }

  @Test func `a card that is not closed ends where the next begins, or the file`() {
    let read = cards("BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD\nbegin:vcard\nFN:C")
    #expect(read.map { $0.properties[0].value } == ["A", "B", "C"])
    #expect(read.map(\.findings.count) == [1, 0, 1])
    #expect(read.map(\.line) == [1, 3, 6])
  }

  @Test func `a card without a beginning is read from its version on`() {
    let read = cards("VERSION:3.0\nFN:A\nEND:VCARD\n")
    #expect(read.map { $0.properties[0].value } == ["A"])
    #expect(read[0].findings.count == 1)
  }

  @Test func `bytes of value zero go`() {
    let read = cards(card("FN:A\u{0}da"))
    #expect(read[0].properties[0].value == "Ada")
    #expect(read[0].findings.count == 1)
  }

  @Test(arguments: [("4", CardVersion.four), ("2.1 ", .two), ("3.1", .three), ("x", .three)])
  func `an odd version is read as the nearest`(text: String, version: CardVersion) {
    #expect(cards(card("FN:A", version: text)).first?.version == version)
  }

  @Test func `a line that is no property goes on with the one before`() {
    let read = cards(card("NOTE:first", "second line", "TEL:1"))
    #expect(read[0].properties.map(\.value) == ["first\\nsecond line", "1"])
    #expect(read[0].findings.map(\.line) == [4])
  }

  @Test func `base-64 goes on in lines that are not folded`() {
    let read = cards(card("PHOTO;TYPE=JPEG;ENCODING=BASE64:", "/9j/AAAA", "BBBB", "", "TEL:1"))
    #expect(read[0].properties.map(\.name) == ["PHOTO", "TEL"])
    #expect(read[0].properties[0].content?.sizeBytes == 9)
  }

  @Test func `parameters are read quoted, bare, repeated and with carets`() {
    let read = cards(
      card(
        "ADR;TYPE=\"home,work\";LABEL=\"a^nb: c\";X-A=1;x-a=2:;;Way;;;;", "TEL;HOME;VOICE:1",
        "X-GOOGLE TALK;TYPE=\"odd:x", "a.b.TEL;:7", version: "4.0"))
    let properties = read[0].properties
    #expect(properties[0].values(of: "TYPE") == ["home", "work"])
    #expect(properties[0].value(of: "LABEL") == "a\nb: c")
    #expect(properties[0].values(of: "X-A") == ["1", "2"])
    #expect(properties[1].values(of: "TYPE") == ["HOME", "VOICE"])
    #expect(properties[2].name == "X-GOOGLE TALK")
    #expect(properties[2].value == "x")
    #expect(properties[3].group == "a.b")
  }

  @Test func `what is larger than a card can be is left out and told of`() {
    let long = "NOTE:" + String(repeating: "x", count: CardLimits.cardBytes)
    let read = cards(card("FN:A", long, "TEL:1"))
    #expect(read[0].properties.map(\.name) == ["FN"])
    #expect(read[0].findings.map(\.outcome) == [.lost, .lost])
    let many = Array(repeating: "TEL:1", count: CardLimits.propertiesPerCard + 5)
    let second = cards("BEGIN:VCARD\n" + many.joined(separator: "\n") + "\nEND:VCARD\n")
    #expect(second[0].properties.count == CardLimits.propertiesPerCard)
    #expect(second[0].findings.count == 5)
  }

  @Test func `a picture that is too large is left out, the card is not`() {
    let line = "PHOTO;ENCODING=b:" + String(repeating: "A", count: 14 << 10)
    var reader = CardReader(mediaBytesMaximum: 10 << 10)
    let read = reader.feed(card("FN:A", line, "TEL:1").utf8) + reader.finish()
    #expect(read[0].properties.map(\.name) == ["FN", "TEL"])
    #expect(read[0].findings.map(\.outcome) == [.lost])
  }
}
