// Quoted-printable, base-64 and character sets against encoders that the test writes a second time.

import Contacts
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2 encodings of cards")
struct EncodingsTests {
  /// Encodes `bytes` with soft line breaks at random places. Letters are encoded now and then.
  private func quotedPrintable(
    _ bytes: [UInt8], after column: Int, _ random: inout SeededGenerator
  ) -> String {
    var text = ""
    var room = 76 - column
    for byte in bytes {
      let isLetter = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
      let digits = String(byte, radix: 16, uppercase: random.percent(80))
      let piece =
        isLetter && random.percent(90)
        ? String(Unicode.Scalar(byte)) : "=" + (digits.count < 2 ? "0" : "") + digits
      if piece.utf8.count + 1 > room || random.percent(3) {
        text += "=\r\n"
        room = 76
      }
      text += piece
      room -= piece.utf8.count
    }
    return text
  }

  /// Returns `text` in a character set of one byte whose Cyrillic or Greek letters are in Unicode's order.
  private func encoded(_ text: String, first: UInt32, at byte: UInt32) -> [UInt8] {
    text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8($0.value - first + byte) }
  }

  @Test func `a text in quoted-printable is read whatever its breaks`() {
    for seed in 1...150 {
      var random = RandomContacts(seed: seed)
      // A backslash in 2.1 may or may not be an escape.
      let raw = String(
        String.UnicodeScalarView(random.text(60).unicodeScalars.filter { $0 != "\\" }))
      let name = "NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:"
      let value = quotedPrintable(Array(raw.utf8), after: name.utf8.count, &random.random)
      let read = contact(card("FN:A", name + value, "TITLE:last", version: "2.1"))
      #expect(
        read.draft[.note].unicodeScalars.elementsEqual(trimmed(plain(raw)).unicodeScalars),
        "seed \(seed) \(value)")
      #expect(read.draft[.title] == "last", "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("WINDOWS-1251", 0x410, 0xC0, "Ольга Петрова"), ("ISO-8859-5", 0x410, 0xB0, "Ольга Петрова"),
    ("iso-8859-7", 0x3B1, 0xE1, "αβγ ω"), ("ISO-8859-1", 0xE0, 0xE0, "éàü ÿ"),
    ("LATIN1", 0xE0, 0xE0, "éàü"), ("windows-1252", 0xE0, 0xE0, "ñ"),
  ])
  func `a declared character set holds for plain and encoded values`(
    charset: String, first: Int, byte: Int, text: String
  ) {
    let bytes = encoded(text, first: UInt32(first), at: UInt32(byte))
    var random = SeededGenerator(seed: 1)
    let encoded = quotedPrintable(bytes, after: 50, &random)
    let head = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;CHARSET=\(charset)".utf8)
    let tail = Array("\r\nEND:VCARD\r\n".utf8)
    for value in [
      Array(":".utf8) + bytes, Array(";ENCODING=8BIT:".utf8) + bytes,
      Array(";QUOTED-PRINTABLE:\(encoded)".utf8),
    ] {
      let read = cards(head + value + tail)
      #expect(read.map { $0.properties.map(\.value) } == [[text]], "\(charset)")
      #expect(read.map { $0.properties.map(\.parameters) } == [[[]]])
      #expect(read.allSatisfy { $0.findings.isEmpty })
    }
  }

  @Test(arguments: [
    ("a=", "a="), ("a=4", "a=4"), ("a=4G", "a=4G"), ("=41=", "A="), ("==41", "=A"),
    ("=3D41", "=41"),
    ("=e9=E9", "\u{E9}\u{E9}"),
  ])
  func `an escape that is none is literal`(text: String, expected: String) {
    let bytes = QuotedPrintable.decode(Array(text.utf8)[...])
    #expect(bytes == expected.unicodeScalars.map { UInt8($0.value) })
    // Slices have other indices.
    #expect(QuotedPrintable.decode(Array("xx\(text)".utf8)[2...]) == bytes)
  }

  // MARK: Base-64

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private func plainBase64(_ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
    var text: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 6) {
      let six = bits[start...].prefix(6)
      let value = six.reduce(0) { $0 << 1 | Int($1) } << (6 - six.count)
      text.append(Self.digits[value])
    }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `base-64 is that of a second encoder, with blanks and without padding`() {
    for seed in 1...100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let bytes = (0...random.below(60)).map { _ in UInt8(random.below(256)) }
      let text = plainBase64(bytes)
      #expect(Base64.encode(bytes) == text)
      #expect(Base64.decode(text.utf8) == bytes)
      #expect(Base64.decode(text.filter { $0 != "=" }.utf8) == bytes)
      var spread = ""
      for digit in text { spread += String(digit) + random.one(of: ["", "", " ", "\t"]) }
      #expect(Base64.decode(spread.utf8) == bytes, "seed \(seed)")
      // In a card: folded at any width, with one blank or two.
      let width = 1 + random.below(20)
      var lines = ["PHOTO;TYPE=PNG;ENCODING=b:"]
      var rest = text[...]
      while !rest.isEmpty {
        lines.append(random.one(of: [" ", "\t", "  "]) + rest.prefix(width))
        rest = rest.dropFirst(width)
      }
      let card = "BEGIN:VCARD\nVERSION:3.0\n" + lines.joined(separator: "\n") + "\nEND:VCARD\n"
      #expect(cards(card).first?.properties.first?.content == .inline(bytes), "seed \(seed)")
    }
  }

  @Test(arguments: ["", "=", "====", "A", "AAAAA", "AA=A", "A-_A", "AAA\u{E9}", "AAAA\nAAAA"])
  func `what is no base-64 is not decoded`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  @Test func `a byte is a digit if it is in the alphabet`() {
    for byte in UInt8.min ... .max {
      #expect(Base64.isDigit(byte) == Self.digits.contains(byte))
      let value = Array("0123456789abcdef".utf8).firstIndex(of: byte)
      let upper = Array("0123456789ABCDEF".utf8).firstIndex(of: byte)
      #expect(QuotedPrintable.digit(byte).map { Int($0) } == (value ?? upper))
    }
  }

  // MARK: Without a declaration

  @Test func `a wrong byte in UTF-8 is replaced, and the rest stays`() {
    let decoded = TextDecoder.decode(Array("Grüße ö".utf8) + [0xC3], charset: "UTF-8")
    #expect(decoded.text == "Grüße ö\u{FFFD}" && decoded.oddity != nil)
    let western = TextDecoder.decode([0x47, 0x72, 0xFC, 0xDF, 0x65], charset: "UTF-8")
    #expect(western.text == "Grüße")
    let undeclared = TextDecoder.decode(Array("Grüße".utf8) + [0xC3], charset: nil)
    #expect(!undeclared.text.contains("\u{FFFD}"))
  }

  @Test func `bytes that are no UTF-8 are Windows-1252, byte by byte`() {
    let marks = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
    let places: [UInt8] =
      [0x80] + Array(0x82...0x8C) + [0x8E] + Array(0x91...0x9C) + [0x9E, 0x9F]
    for (scalar, byte) in zip(marks.unicodeScalars, places) {
      let decoded = TextDecoder.decode([0x61, byte, 0x62], charset: nil)
      #expect(decoded.text == "a" + String(scalar) + "b")
      #expect(decoded.oddity != nil)
    }
    #expect(marks.unicodeScalars.count == places.count)
    for byte in [0x81, 0x8D, 0x8F, 0x90, 0x9D] + Array(0xA0...0xFF) as [UInt8] {
      let decoded = TextDecoder.decode([0x61, byte], charset: "CP1252")
      #expect(decoded.text.unicodeScalars.map(\.value) == [0x61, UInt32(byte)])
      #expect(decoded.oddity == nil)
    }
  }

  @Test(arguments: ["UTF-8", "utf8", "US-ASCII", "ascii"])
  func `UTF-8 that is declared may be another set all the same`(charset: String) {
    #expect(TextDecoder.decode(Array("é李".utf8), charset: charset).oddity == nil)
    let western = TextDecoder.decode([0xE9], charset: charset)
    #expect(western.text == "é" && western.oddity != nil)
    let cut = TextDecoder.decode([0x61, 0xE6, 0x9D], charset: charset)
    #expect(cut.text == "a\u{E6}\u{9D}" && cut.oddity != nil)
  }

  @Test(arguments: ["SHIFT_JIS//IGNORE", "X Y", "é", String(repeating: "a", count: 41)])
  func `a name that the C library could misread is not passed to it`(charset: String) {
    let decoded = TextDecoder.decode(Array("a".utf8), charset: charset)
    #expect(decoded.text == "a" && decoded.oddity != nil)
  }
}
