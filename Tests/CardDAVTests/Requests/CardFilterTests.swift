// Searches of clients.

import ContactCards
import Testing

@testable import CardDAV

@Suite("D1 searches")
struct CardFilterTests {
  private let card = ServedContact.read(
    """
    BEGIN:VCARD
    VERSION:3.0
    FN:Émile Zwart
    N:Zwart;Émile;;;
    EMAIL;TYPE=HOME:emile@example.org
    EMAIL;TYPE=WORK:zwart@example.com
    item1.TEL:+1 555 0100
    END:VCARD

    """.utf8)

  private func isFound(_ filter: String, test: String = "anyof") throws -> Bool {
    let report = try Report(
      document: Array(
        """
        <c:addressbook-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">
        <c:filter test="\(test)">\(filter)</c:filter></c:addressbook-query>
        """.utf8))
    guard case .query(_, let filter, _) = report else { return false }
    return filter.matches(card)
  }

  private func words(_ filter: String, test: String = "anyof") throws -> Set<Set<String>>? {
    let element = try XMLTree(
      document: Array(
        """
        <filter xmlns="urn:ietf:params:xml:ns:carddav" xmlns:c="urn:ietf:params:xml:ns:carddav"
          test="\(test)">\(filter)</filter>
        """.utf8))
    return try CardFilter(element).necessaryWords
  }

  @Test func `a search looks only at contacts that have its words`() throws {
    #expect(try words(text("FN", "Ann Zwart")) == [["ann", "zwart"]])
    #expect(
      try words(text("FN", "ann") + text("EMAIL", "x@zwart.org"))
        == [["ann"], ["x", "zwart", "org"]])
    #expect(try words(text("FN", "ann") + text("UID", "b"), test: "allof") == [["ann"]])
  }

  @Test(arguments: [
    "", "<prop-filter name='FN'/>", "<prop-filter name='FN'><is-not-defined/></prop-filter>",
    "<prop-filter name='UID'><text-match>a</text-match></prop-filter>",
    "<prop-filter name='FN'><text-match>é</text-match></prop-filter>",
    "<prop-filter name='FN'><text-match>-</text-match></prop-filter>",
    "<prop-filter name='FN'><text-match negate-condition='yes'>a</text-match></prop-filter>",
    "<prop-filter name='TEL'><param-filter name='TYPE'/><text-match>a</text-match></prop-filter>",
  ])
  func `a search that other contacts can meet looks at all`(filter: String) throws {
    #expect(try words(filter) == nil)
  }

  private func text(_ name: String, _ text: String, _ attributes: String = "") -> String {
    "<c:prop-filter name='\(name)'><c:text-match \(attributes)>\(text)</c:text-match></c:prop-filter>"
  }

  @Test(arguments: [
    ("FN", "zwart", "", true), ("FN", "ÉMILE", "", true), ("FN", "E\u{301}mile", "", true),
    ("FN", "émile", "collation='i;ascii-casemap'", false),
    ("FN", "ZWART", "collation='i;ascii-casemap'", true),
    ("FN", "zwart", "collation='i;octet'", false),
    ("FN", "Émile", "match-type='starts-with'", true),
    ("FN", "Zwart", "match-type='starts-with'", false),
    ("FN", "Zwart", "match-type='ends-with'", true),
    ("FN", "émile zwart", "match-type='equals'", true),
    ("FN", "émile", "match-type='equals'", false),
    ("FN", "stranger", "negate-condition='yes'", true), ("email", "EXAMPLE.COM", "", true),
    ("ITEM1.TEL", "0100", "", true), ("ITEM2.TEL", "0100", "", false), ("NOTE", "a", "", false),
  ])
  func `texts are compared as the client asks`(
    name: String, text: String, attributes: String, isFound: Bool
  ) throws {
    #expect(try self.isFound(self.text(name, text, attributes)) == isFound)
  }

  @Test func `conditions are combined by any or all`() throws {
    let yes = text("FN", "zwart")
    let no = text("FN", "stranger")
    #expect(try isFound(yes + no))
    #expect(try !isFound(yes + no, test: "allof"))
    #expect(try isFound(yes + text("EMAIL", "emile"), test: "allof"))
    #expect(try isFound(""))
    let both = "<c:text-match>emile</c:text-match><c:text-match>com</c:text-match>"
    #expect(try isFound("<c:prop-filter name='EMAIL' test='anyof'>\(both)</c:prop-filter>"))
    #expect(try !isFound("<c:prop-filter name='EMAIL' test='allof'>\(both)</c:prop-filter>"))
  }

  @Test func `a property or a parameter can be there or absent`() throws {
    #expect(try isFound("<c:prop-filter name='NOTE'><c:is-not-defined/></c:prop-filter>"))
    #expect(try !isFound("<c:prop-filter name='FN'><c:is-not-defined/></c:prop-filter>"))
    #expect(try isFound("<c:prop-filter name='TEL'/>"))
    let work = "<c:param-filter name='TYPE'><c:text-match>work</c:text-match></c:param-filter>"
    #expect(try isFound("<c:prop-filter name='EMAIL'>\(work)</c:prop-filter>"))
    #expect(try !isFound("<c:prop-filter name='TEL'>\(work)</c:prop-filter>"))
    let none = "<c:param-filter name='TYPE'><c:is-not-defined/></c:param-filter>"
    #expect(try isFound("<c:prop-filter name='TEL'>\(none)</c:prop-filter>"))
  }

  @Test func `a filter has a bound, whatever it consists of`() throws {
    let texts = String(repeating: "<c:text-match>a</c:text-match>", count: 300)
    for filter in [
      String(repeating: text("FN", "a"), count: 300),
      "<c:prop-filter name='FN'>\(texts)</c:prop-filter>",
    ] {
      let error = try #require(throws: DAVError.self) { try isFound(filter) }
      #expect(error.status == .tooLarge)
    }
  }

  @Test func `another collation is refused with its element`() throws {
    let error = try #require(throws: DAVError.self) {
      try isFound(text("FN", "a", "collation='i;unknown'"))
    }
    #expect(error.condition?.name == .card("supported-collation"))
  }
}
