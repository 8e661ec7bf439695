import Contacts
import Testing

@testable import ContactCards

@Suite("A2 a card has the names of its version")
struct VersionRulesTests {
  /// Writes the contact of a card in a version, and returns the lines between its name and its end.
  private func lines(_ lines: [String], _ version: CardVersion) throws -> [String] {
    let contact = try kept(contact(card(["UID:u", "FN:A", "N:;A;;;"] + lines, version: "4.0")))
    let written = written(contact, version).replacing("\r\n ", with: "").split(separator: "\r\n")
    let frame = ["BEGIN:", "VERSION:", "UID:", "FN:", "N:", "END:"]
    return written.map { String($0) }.filter { line in !frame.contains { line.hasPrefix($0) } }
  }

  @Test(arguments: [
    ("KIND:individual", "X-KIND:individual", "KIND:individual"),
    ("GENDER:F", "X-GENDER:F", "GENDER:F"),
    ("X-GENDER:Female", "X-GENDER:Female", "X-GENDER:Female"),
    ("LANG;PREF=2:sv", "X-LANG;X-PREF=2:sv", "LANG;PREF=2:sv"),
    ("MAILER:Pine", "MAILER:Pine", "X-MAILER:Pine"),
    ("LABEL;TYPE=work:Main St", "LABEL;TYPE=work:Main St", "X-LABEL;TYPE=work:Main St"),
    (
      "KEY;VALUE=uri:https://example.org/k", "X-KEY;VALUE=uri:https://example.org/k",
      "KEY;VALUE=uri:https://example.org/k"
    ),
    ("BDAY;VALUE=text:about 1800", "X-BDAY;VALUE=text:about 1800", "BDAY;VALUE=text:about 1800"),
    ("BDAY:1984", "X-BDAY:1984", "BDAY:1984"),
    ("BDAY:19840605", "BDAY:1984-06-05", "BDAY:19840605"),
    ("BDAY:1984-06-05T01:02:03Z", "BDAY:1984-06-05T01:02:03Z", "BDAY:19840605T010203Z"),
    ("TITLE;ALTID=1:Boss", "TITLE;X-ALTID=1:Boss", "TITLE;ALTID=1:Boss"),
    (
      "TEL;TYPE=work,msg,x-slow:1", "TEL;TYPE=work,msg,x-slow:1",
      "TEL;TYPE=work;X-TYPE=msg;TYPE=x-slow:1"
    ),
    (
      "EMAIL;TYPE=internet,home:a@b", "EMAIL;TYPE=home,internet:a@b",
      "EMAIL;TYPE=home;X-TYPE=internet:a@b"
    ),
    ("TEL;TYPE=textphone:1", "TEL;X-TYPE=textphone:1", "TEL;TYPE=textphone:1"),
    (
      "ADR;TYPE=home,postal:;;1 A St;B;;;", "ADR;TYPE=home,postal:;;1 A St;B;;;",
      "ADR;TYPE=home;X-TYPE=postal:;;1 A St;B;;;"
    ),
    (
      "X-PICTURE;ENCODING=BASE64;TYPE=PNG:AAAA", "X-PICTURE;ENCODING=b;TYPE=PNG:AAAA",
      "X-PICTURE;X-ENCODING=b;TYPE=PNG:AAAA"
    ),
    ("IMPP:skype:ada.q", "IMPP:skype:ada.q", "IMPP:skype:ada.q"),
    ("IMPP:Ada Q", "X-IMPP:Ada Q", "X-IMPP:Ada Q"), ("IMPP:50%", "X-IMPP:50%", "X-IMPP:50%"),
    ("X-GOOGLE TALK:a", "X-GOOGLE-TALK:a", "X-GOOGLE-TALK:a"),
    ("NOTE;X-SAID=\"a^'b\":x", "NOTE;X-SAID=a'b:x", "NOTE;X-SAID=a'b:x"),
    (
      "ADR:;;1 A St,Door 2;B,C;;\\,9;", "ADR:;;1 A St,Door 2;B,C;;\\,9;",
      "ADR:;;1 A St,Door 2;B,C;;\\,9;"
    ),
  ])
  func `what a version lacks is written with X- before its name`(
    line: String, three: String, four: String
  ) throws {
    #expect(try lines([line], .three) == [three])
    #expect(try lines([line], .four) == [four])
    // Reading either gives the same contact, apart from the quote, for which there is no form.
    for (version, written) in [(CardVersion.three, three), (.four, four)] {
      let again = contact(card(["UID:u", "FN:A", "N:;A;;;", written], version: version.rawValue))
      let first = contact(card(["UID:u", "FN:A", "N:;A;;;", line], version: "4.0"))
      #expect(again.draft == first.draft || line.contains("^'"), "\(version)")
    }
  }

  @Test(arguments: [
    (["BDAY:19840605", "BDAY:19850605"], ["BDAY:19840605", "X-BDAY:19850605"]),
    (["PRODID:a", "PRODID:b", "PRODID:c"], ["PRODID:a", "X-PRODID:b", "X-PRODID:c"]),
    (["KIND:org", "KIND:individual"], ["KIND:org", "X-KIND:individual"]),
    (["GENDER;ALTID=1:F", "GENDER;ALTID=1:M"], ["GENDER;ALTID=1:F", "GENDER;ALTID=1:M"]),
  ])
  func `what a card has once stands once`(said: [String], written: [String]) throws {
    #expect(try lines(said, .four) == written)
    #expect(try lines(written, .four) == written)
  }

  @Test func `the addresses of calendars have their names of RFC 2739 in CardDAV, and X- in files`()
    throws
  {
    let made = try kept(contact(card("FN:A", "FBURL:https://example.com/busy")))
    #expect(written(made, .three).contains("\r\nFBURL:"))
    #expect(written(made, .three, isForFile: true).contains("\r\nX-FBURL:"))
    for text in [written(made, .three), written(made, .three, isForFile: true)] {
      #expect(contact(text).draft[.other].map { $0[.name] } == ["FBURL"])
    }
  }

  @Test func `a label without a type in a version has a property of its own`() throws {
    #expect(try lines(["TEL;TYPE=car:1"], .three) == ["TEL;TYPE=car:1"])
    #expect(try lines(["TEL;TYPE=car:1"], .four) == ["item1.TEL:1", "item1.X-ABLabel:car"])
    let read = contact(card("FN:A", "item1.TEL:1", "item1.X-ABLabel:car"))
    #expect(read.draft[.phones].map { $0[.label] } == ["car"])
  }

  @Test func `an edited part of an address is a text, and its other parts stay lists`() throws {
    var made = try kept(contact(card("FN:A", "ADR:;;1 A St,Door 2;B,C;;;")))
    #expect(made.addresses[0].street1 == "1 A St, Door 2" && made.addresses[0].city == "B, C")
    made.addresses[0].city = "Bergen, Norway"
    #expect(written(made).contains("\r\nADR:;;1 A St,Door 2;Bergen\\, Norway;;;\r\n"))
  }
}
