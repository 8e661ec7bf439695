import Contacts
import Testing

@testable import ContactCards

@Suite("D2 cards that every program can read")
struct StrictCardsTests {
  private func isStrict(_ lines: String..., version: String = "3.0", end: String = "\r\n") -> Bool {
    let all = ["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]
    return StrictCards.isStrict(Array(all.joined(separator: end).utf8))
  }

  @Test(arguments: [
    "TEL;TYPE=home,\"voice\";X-A=\"a:b\":1", "item1.X-ABLabel:Boat", "NOTE:a\\nb\\, c\\\\d:e",
    "PHOTO;ENCODING=b;TYPE=JPEG:/9j/\r\n AAAA", "URL:https://example.com", "N:B;A;;;", "NOTE:å",
  ])
  func `a card by the standard is one`(_ line: String) {
    #expect(isStrict("UID:u", "FN:A", line))
  }

  @Test(arguments: [
    "TEL;HOME:1", "PHOTO;BASE64:/9j/", "PHOTO;ENCODING=BASE64:/9j/", "X-A;:v", "a line without",
    "NOTE;ENCODING=QUOTED-PRINTABLE:=C3=A5", "URL:https\\://example.com", "TEL;X=\"a:1",
    "PHOTO:data:image/png\\;base64\\,iVBO", "X-AGENT\nBEGIN:VCARD", "VERSION:3.0", "X A:1",
  ])
  func `a card that programs read wrongly is none`(_ line: String) {
    #expect(!isStrict("UID:u", "FN:A", line))
  }

  @Test func `versions and the ends of lines count`() {
    #expect(isStrict("FN:A", version: "4.0") && isStrict("FN:A", end: "\n"))
    #expect(!isStrict("FN:A", version: "5.0") && !isStrict("FN:A", version: "2.1"))
    #expect(!isStrict("FN:A", end: "\r\r\n") && !isStrict("FN:A", end: "\r"))
    #expect(!isStrict("PHOTO;ENCODING=b:/9j/", version: "4.0"))
    #expect(!StrictCards.isStrict(Array("BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n".utf8)))
    #expect(!StrictCards.isStrict([]))
  }
}
