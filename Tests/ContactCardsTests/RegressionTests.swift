// What the fuzzer found, each a small file. What was read must be written in a way that is read and
// written the same.

import Contacts
import Testing

@testable import ContactCards

@Suite("Regressions of the card reader")
struct RegressionTests {
  /// The first contact of a file, written twice with a reading in between.
  func exports(_ text: String, _ version: CardVersion) throws -> (first: String, second: String) {
    var file = ContactFile()
    let contacts = file.feed(Array(text.utf8)) + file.finish()
    let first = written(try kept(try #require(contacts.first)), version)
    #expect(cards(first).count == 1)
    return (first, written(try kept(contact(first)), version))
  }

  @Test(
    arguments: [
      // A label that is a known one once its control characters are left out.
      #"{"id":"a","firstName":"A","phones":[{"label":"h\u0000ome","value":"1"}]}"#,
      // A type that is a known one without the no-break space behind it.
      "BEGIN:VCARD\nFN:A\nRELATED;TYPE=spouse\u{A0}:Bo\nEND:VCARD\n",
      // A row of a table that has only a whole name.
      "Name;Job Title;Home City\nBo;Binder;Leeds\n",
      // A column of a table with the name of a property that has a place of its own in the card.
      "Title;First Name;Home Street;%\u{0}Anniversary\nDr.;Bo;Mill;Bes\n",
      // A type without a name, beside a property that is written as it came.
      "BEGIN:VCARD\nVERSION:2.1\nFN:X\nN;TYPE=:Bo;;;\nEND:VCARD\n",
      // A second name that has only a control character.
      "BEGIN:VCARD\nVERSION:3.0\nFN:A\nN:;A;;;\nX-N:\u{5}\nEND:VCARD\n",
      // A birthday on a day that no month has.
      "BEGIN:VCARD\nVERSION:3.0\nFN:A\nBDAY;X-A=b:1604-06-75\nEND:VCARD\n",
      // A media type with a line end in it.
      "BEGIN:VCARD\nVERSION:4.0\nFN:A\nPHOTO:data:image/png;base64,iVBORw0KGgo=\n"
        + "PHOTO:data:\\nimage/png;base64,iVBORw0KGgo=\nEND:VCARD\n",
      // A parameter's name in mixed case that 3.0 does not have.
      "BEGIN:VCARD\nVERSION:4.0\nFN:A\nN;SOrT-AS=\"B,A\":B;A;;;\nEND:VCARD\n",
      // A property whose name was lost on the way through JSON.
      #"{"id":"a","firstName":"A","other":[{"value":"1"},{"name":"a b:c","value":"x\ny"}]}"#,
      // A parameter's name with control characters in it, which is another one without them.
      "BEGIN:VCARD\nVERSION:4.0\nFN:A\nTEL;VALUE\u{1}=uri;TYPE=HO\u{2}ME:tel:1\nEND:VCARD\n",
      // Bytes of value zero inside base-64.
      "BEGIN:VCARD\nFN:A\nPHOTO;BASE64;JPEG:/9\u{0}j/AAAABBBB\nEND:VCARD\n",
      // A label without a value.
      #"{"id":"a","firstName":"A","phones":[{"label":"home"}]}"#,
      // Bytes of value zero counted into the length of a line.
      "{\"id\":\"a\",\"firstName\":\"Lo"
        + String(repeating: "\\u0000", count: 30) + String(repeating: "é", count: 40) + "\"}",
      // An encoding that is a part of another parameter, and one that came by way of JSON.
      "BEGIN:VCARD\nFN;X=\"QUOTED-PRINTABLE\":A=\nEND:VCARD\n",
      #"["vcard",[["fn",{},"text","A"],["x-a",{"encoding":"quoted-printable"},"unknown","b="]]]"#,
      "BEGIN:VCARD\nN;ENCODING=ODD:=D0=9F\nEND:VCARD\n",
      // Two numbers in one group, and two labels.
      "BEGIN:VCARD\nFN:A\nitem1.TEL:2\nitem1.X-ABLabel:Boat\nitem1.TEL:3\nitem1.X-ABLabel:Car\n"
        + "END:VCARD\n",
      // The same label twice for two that need none, and one that is kept beside an entry's own.
      "BEGIN:VCARD\nFN:A\ni.TEL:2\ni.X-ABLabel:_$!<HomeFAX>!$_\ni.TEL:2\n"
        + "i.X-ABLabel:_$!<HomeFAX>!$_\nEND:VCARD\n",
      "BEGIN:VCARD\nFN:A\ni.TEL:2\ni.X-ABLabel:_$!<HomeFAX>!$_\ni.X-ABLabel:Boat\nEND:VCARD\n",
      "BEGIN:VCARD\nFN:A\ni.TEL:2\ni.X-ABLabel:_$!<H\u{12}omeFAX>!$_\n"
        + "i.X-ABLabel:_$!<HomeFAX>!$_\nEND:VCARD\n",
      #"{"id":"a","firstName":"A","phones":[{"value":"1","group":"i"}],"#
        + #""other":[{"group":"i","name":"X-ABLabel","value":"Boat"}]}"#,
      #"{"id":"a","firstName":"A","phones":[{"value":"1","label":"_$!<HomeFAX>!$_"}]}"#,
      "first name,phone 1 - label,phone 1 - value\nA,\u{1} Boat,1\n",
      "BEGIN:VCARD\nFN:A\nCATEGORIES:a,b,\u{1}a\nEND:VCARD\n",
      "BEGIN:VCARD\nKIND:g\u{2}roup\nFN:A\nEND:VCARD\n",
      "BEGIN:VCARD\nFN:A\nPHOTO;BASE64;JPEG:/9j/AAAema\u{1}\u{1}\nEND:VCARD\n",
      // Properties that are called like the lines around a card.
      #"["vcard",[["fn",{},"text","A"],["end",{},"unknown","VCARD"],["tel",{},"text","1"]]]"#,
      #"{"id":"a","firstName":"A","other":[{"name":"Version","value":"2.1"},{"name":"begin","value":"x"}]}"#,
      // Two addresses in one group, and two countries.
      "BEGIN:VCARD\nFN:A\ng.ADR:;;a;;;;\ng.X-ABADR:de\ng.ADR:;;b;;;;\ng.X-ABADR:fr\nEND:VCARD\n",
      // A name as long as a line, which might go on with the picture before it.
      "BEGIN:VCARD\nFN:A\n" + String(repeating: "F", count: 100)
        + ":x\nPHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=\nEND:VCARD\n",
      "BEGIN:VCARD\nFN:A\nPHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=\n"
        + String(repeating: "G", count: 90) + ".X-A:x\nEND:VCARD\n",
      // A line end and a control character behind it, in a name that has only itself.
      "VERSION:3.0\rN:l\r\u{1B}\nl:",
      // A kind of value that there is not, where another must be written.
      "BEGIN:VCARD\nFN:A\nRELATED;VALUE=odd:1\nX-ABDATE;VALUE=odd:soon\nEND:VCARD\n",
      "BEGIN:VCARD\nFN:A\nX-ABDATE;X-APPLE-OMIT-YEAR=1:1604-02-03\nEND:VCARD\n",
      // Two pictures, the second of a kind of value that there is not.
      "BEGIN:VCARD\nPHOTO;ENCODING=b:BO==\nPHOTO;ENCODING=b;VALUE=odd:BO==\nFN:A\nEND:VCARD\n",
      // A media type without a family.
      "BEGIN:VCARD\nFN:A\nPHOTO:data:g;base64,VB0605==\nEND:VCARD\n",
      // A kind of value with a control character in it.
      #"["vcard",[["fn",{},"text","A"],["tel",{"x-a":"h\u0001ome"},"u\u0013ri","tel:1"]]]"#,
      // Two encodings, of which one is none.
      "BEGIN:VCARD\nFN:A\nX-A;ENCODING=QU;BASE64;: 1 2\nX-B;ENCODING=;BASE64;:1 2\nEND:VCARD\n",
      // A blank before a control character, in a table, in a list and in JSON.
      "First Name,Last Name,Phone 1 - Label,Phone 1 - Value\nA,: \u{12},Boat \u{1},1 \u{1}\n",
      #"{"id":"a","firstName":"A \u0001","departments":["\u0001 B"]}"#,
      // A parameter that ends in a blank.
      "BEGIN:VCARD\nFN:A\nTEL;PREF=1 :5\nTEL;PREF=1\u{A0}:6\nTEL;X-A=\" b \":7\nEND:VCARD\n",
      // A name with only a sixth part, and another name after it.
      "BEGIN:VCARD\nVERSION:4.0\nN;X-A=b:;;;;;;x\nN:;;Bee\nNOTE:n\nEND:VCARD\n",
      "BEGIN:VCARD\nORG;X-A=b: ;\nORG:B\nFN:A\nEND:VCARD\n",
      // A number as an address, where only a number is expected.
      "first name,phone\nA,tel:tel:1984\n",
    ], [CardVersion.three, .four])
  func `a second export is the first`(text: String, version: CardVersion) throws {
    let (first, second) = try exports(text, version)
    #expect(first == second)
  }

  @Test(arguments: [
    // Two even rows with a kind of value, and a third row that is none.
    "a;b\nLeeds;1984-06-05\nc\nd\n", "a@x.org\nb@x.org\nBoat\n", "x\ny;1984-06-05\n",
  ])
  func `a file is a table or not, whatever the size of the chunks`(_ text: String) {
    func contacts(chunkBytes: Int) -> [ImportedContact] {
      var file = ContactFile()
      var contacts: [ImportedContact] = []
      for start in stride(from: 0, to: text.utf8.count, by: chunkBytes) {
        contacts += file.feed(Array(text.utf8.dropFirst(start).prefix(chunkBytes)))
      }
      return contacts + file.finish()
    }
    #expect(contacts(chunkBytes: 1) == contacts(chunkBytes: text.utf8.count))
  }

  @Test func `an entry that gets a label of its own leaves its group`() throws {
    var reader = CardReader()
    let lines = "item1.TEL:2\nitem1.TEL:3\nitem1.X-ABLabel:Boat\nitem1.X-MINE:x"
    let read = reader.feed("BEGIN:VCARD\nFN:A\n\(lines)\nEND:VCARD\n".utf8) + reader.finish()
    var imported = ImportedContact(try #require(read.first))
    imported.draft[.phones][1][.label] = "Car"
    let again = contact(written(try kept(imported), .three))
    #expect(again.draft[.phones].map { $0[.label] } == ["Boat", "Car"])
    #expect(again.draft[.phones].map { $0[.value] } == ["2", "3"])
    #expect(again.draft[.other].map { $0[.name] } == ["X-MINE"])
  }
}
