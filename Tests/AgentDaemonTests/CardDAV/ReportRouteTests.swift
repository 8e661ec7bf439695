import CardDAV
import NIOHTTP1
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D1 reports of a book", .timeLimit(.minutes(5)))
struct ReportRouteTests {
  private static let book = DAVClient.book

  // MARK: By address

  @Test func `a multiget answers every address, also those that name no card`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let made = try await client.ask("MKCOL", "/books/other")
      #expect(made.status == 201)
      #expect(try await client.put(DAVClient.card("o", "O"), "/books/other/o.vcf").status == 201)
      let here = "\(Self.book)bundled-1-01.vcf"
      let full = "\(client.origin)\(Self.book)bundled-1-02.vcf"
      let missing = [
        "\(Self.book)nobody.vcf", "/books/other/o.vcf", "/books/", "x", "\(Self.book)%00",
        "\(Self.book)../contacts/bundled-1-03.vcf",
      ]
      let answer = try await client.multiget([here, full] + missing)
      #expect(answer.status == 207)
      #expect(try answer.responses.count == 8)
      #expect(try answer.cards == [here, "\(Self.book)bundled-1-02.vcf"])
      for address in missing {
        #expect(try answer.status(of: address) == "HTTP/1.1 404 Not Found", "\(address)")
      }
      let text = try #require(try answer.property(.card("address-data"), of: here)?.text)
      let got = try await client.ask("GET", here)
      #expect(Array(text.utf8) == got.bytes)
      #expect(try answer.property(.dav("getetag"), of: here)?.text == got.tag)
    }
  }

  @Test func `a multiget selects a version and properties`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let path = "\(Self.book)bundled-1-01.vcf"
      func text(_ data: String) async throws -> String {
        try await client.multiget([path], data: data).property(.card("address-data"), of: path)?
          .text ?? ""
      }
      #expect(
        try await text(#"<C:address-data content-type="text/vcard" version="4.0"/>"#)
          .contains("VERSION:4.0\r\n"))
      #expect(try await text("<C:address-data/>").contains("VERSION:3.0\r\n"))
      let part = try await text(#"<C:address-data><C:prop name="FN"/></C:address-data>"#)
      #expect(part.contains("\r\nFN:") && !part.contains("\r\nEMAIL"))
      let other = try await client.multiget(
        [path], data: #"<C:address-data content-type="text/vcard" version="2.1"/>"#)
      #expect(other.status == 403 && other.condition?.name == .card("supported-address-data"))
    }
  }

  @Test(.onlyInCheck) func `one multiget asks for 10,000 cards`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let addresses = (0..<10_000).map { "\(Self.book)a-rather-long-name-of-a-card-\($0).vcf" }
      let real = "\(Self.book)bundled-1-01.vcf"
      let answer = try await client.multiget(addresses + [real])
      #expect(answer.status == 207)
      #expect(try answer.responses.count == 10_001)
      #expect(try answer.cards == [real])
    }
  }

  // MARK: By content

  private func filter(
    _ type: String, _ text: String, collation: String? = nil, property: String = "FN",
    isNegated: Bool = false
  ) -> String {
    let collation = collation.map { " collation=\"\($0)\"" } ?? ""
    let negated = isNegated ? " negate-condition=\"yes\"" : ""
    return """
      <C:filter><C:prop-filter name="\(property)"><C:text-match match-type="\(type)"\
      \(collation)\(negated)>\(text)</C:text-match></C:prop-filter></C:filter>
      """
  }

  private func filled(_ agent: RunningAgent) async throws -> DAVClient {
    let client = try await DAVClient(of: agent)
    for (name, text) in [("a", "Zoë Ärger"), ("b", "zoë ärgerlich"), ("c", "Xylo Phone")] {
      let answer = try await client.put(
        DAVClient.card(name, text, ["NICKNAME:Nick-\(name)"]), "\(Self.book)\(name)")
      try #require(answer.status == 201)
    }
    return client
  }

  private static let queries: [(type: String, text: String, collation: String, found: [String])] = [
    ("equals", "Zoë Ärger", "i;unicode-casemap", ["a"]),
    ("equals", "ZOË ÄRGER", "i;unicode-casemap", ["a"]),
    ("contains", "ÄRGER", "i;unicode-casemap", ["a", "b"]),
    ("starts-with", "zOË", "i;unicode-casemap", ["a", "b"]),
    ("ends-with", "RLICH", "i;unicode-casemap", ["b"]),
    ("equals", "xylo phone", "i;ascii-casemap", ["c"]),
    ("contains", "äRGER", "i;ascii-casemap", ["b"]),
    ("contains", "Ärger", "i;ascii-casemap", ["a"]),
    ("starts-with", "XY", "i;ascii-casemap", ["c"]),
    ("ends-with", "PHONE", "i;ascii-casemap", ["c"]),
    ("contains", "PHONE", "i;octet", []), ("contains", "Phone", "i;octet", ["c"]),
    ("contains", "phone", "default", ["c"]),
  ]

  @Test func `a query matches as its collation says`() async throws {
    try await RunningAgent.with { agent in
      let client = try await filled(agent)
      for query in Self.queries {
        let answer = try await client.query(
          filter(query.type, query.text, collation: query.collation))
        #expect(answer.status == 207, "\(query)")
        #expect(try answer.cards == query.found.map { Self.book + $0 }, "\(query)")
      }
    }
  }

  @Test func `a query negates, asks for what is missing, and combines`() async throws {
    try await RunningAgent.with { agent in
      let client = try await filled(agent)
      let not = try await client.query(filter("contains", "zo", isNegated: true))
      #expect(try !not.cards.contains("\(Self.book)a") && not.cards.contains("\(Self.book)c"))
      let none = try await client.query(
        #"<C:filter><C:prop-filter name="NICKNAME"><C:is-not-defined/></C:prop-filter></C:filter>"#)
      #expect(try none.cards.allSatisfy { !["a", "b", "c"].map { Self.book + $0 }.contains($0) })
      let both = try await client.query(
        """
        <C:filter test="allof"><C:prop-filter name="FN"><C:text-match>zo</C:text-match>\
        </C:prop-filter><C:prop-filter name="NICKNAME"><C:text-match match-type="ends-with">b\
        </C:text-match></C:prop-filter></C:filter>
        """)
      #expect(try both.cards == ["\(Self.book)b"])
      let all = try await client.query("<C:filter/>")
      #expect(try all.cards.count == 13)
    }
  }

  @Test func `a query asks for what only the whole card says`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      // Without a name, the card is named by the e-mail address.
      let unnamed = DAVClient.card("u", "", ["TEL:+15550101", "EMAIL:only@example.org"])
      #expect(try await client.put(unnamed, "\(Self.book)u").status == 201)
      let named = try await client.query(filter("equals", "ONLY@EXAMPLE.ORG"))
      #expect(try named.cards == ["\(Self.book)u"])
      let besideNumber = try await client.query(
        """
        <C:filter test="allof"><C:prop-filter name="FN"><C:text-match>only</C:text-match>\
        </C:prop-filter><C:prop-filter name="TEL"><C:text-match>0101</C:text-match>\
        </C:prop-filter></C:filter>
        """)
      #expect(try besideNumber.cards == ["\(Self.book)u"])
      let labeled = try await agent.ask(
        .POST, "/v1/contacts",
        #"""
        {"firstName":"Lea","phones":[{"label":"boat","value":"+15550100"}],
        "emails":[{"label":"den","value":"lea@example.org"}]}
        """#)
      #expect(labeled.status == 201)
      // The phone number comes first, so its label has the name `item1`.
      let grouped = try await client.query(filter("contains", "lea", property: "item2.EMAIL"))
      #expect(try grouped.cards.count == 1)
      #expect(
        try await client.query(filter("contains", "lea", property: "item1.EMAIL")).cards.isEmpty)

      let photo = "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo="
      for (card, name) in [
        (DAVClient.card("p", "Pia", [photo]), "p"),
        (DAVClient.card("g", "Crew", ["X-ADDRESSBOOKSERVER-KIND:group"]), "g"),
        (DAVClient.card("m", "Mia", ["CATEGORIES:Crew"]), "m"),
      ] {
        #expect(try await client.put(card, "\(Self.book)\(name)").status == 201)
      }
      func cards(_ property: String, _ condition: String) async throws -> [String] {
        let filter =
          "<C:filter><C:prop-filter name=\"\(property)\">\(condition)</C:prop-filter></C:filter>"
        return try await client.query(filter).cards
      }
      let missing = "<C:is-not-defined/>"
      let all = try await client.query("<C:filter/>").cards
      #expect(try await cards("PHOTO", missing) == all.filter { $0 != "\(Self.book)p" })
      #expect(try await cards("PHOTO", "") == ["\(Self.book)p"])
      #expect(try await cards("REV", missing).isEmpty)
      #expect(try await cards("X-ADDRESSBOOKSERVER-KIND", "") == ["\(Self.book)g"])
      let member = "<C:text-match match-type=\"ends-with\">:m</C:text-match>"
      #expect(try await cards("X-ADDRESSBOOKSERVER-MEMBER", member) == ["\(Self.book)g"])
      #expect(try await cards("FN", "<C:text-match>crew</C:text-match>") == ["\(Self.book)g"])
    }
  }

  @Test func `a limit cuts a query, and says so only if there is more`() async throws {
    try await RunningAgent.with { agent in
      let client = try await filled(agent)
      for (limit, count, isPartial) in [(1, 1, true), (12, 12, true), (13, 13, false)] {
        let answer = try await client.query("<C:filter/>", limit: limit)
        #expect(answer.status == 207)
        #expect(try answer.cards.count == count)
        let status = try answer.status(of: Self.book)
        #expect(status == (isPartial ? "HTTP/1.1 507 Insufficient Storage" : nil), "\(limit)")
      }
      #expect(try await client.query("<C:filter/>", limit: 0).status == 400)
    }
  }

  @Test func `an unknown collation, filter or report is refused with its element`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let collation = try await client.query(filter("contains", "x", collation: "i;klingon"))
      #expect(collation.status == 403)
      #expect(collation.condition?.name == .card("supported-collation"))
      for unknown in [
        filter("resembles", "x"), "<C:filter><C:comp-filter/></C:filter>",
        #"<C:filter test="noneof"><C:prop-filter name="FN"/></C:filter>"#,
      ] {
        let answer = try await client.query(unknown)
        #expect(answer.status == 403 && answer.condition?.name == .card("supported-filter"))
      }
      let report = try await client.ask(
        "REPORT", Self.book, "<expand-property \(DAVClient.namespaces)/>")
      #expect(report.status == 403 && report.condition?.name == .dav("supported-report"))
      let place = try await client.multiget([], in: "/books/")
      #expect(place.status == 403 && place.condition?.name == .dav("supported-report"))
    }
  }

  // MARK: What has changed

  @Test func `a client follows a book by its tokens`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let first = try await client.changes()
      #expect(try first.cards.count == 10)
      let book = try await client.properties(["sync-token"], of: Self.book)
      #expect(try book.property(.dav("sync-token"), of: Self.book)?.text == first.token)
      let nothing = try await client.changes(since: first.token)
      #expect(try nothing.responses.isEmpty && nothing.token == first.token)
      _ = try await agent.ask(.PATCH, "/v1/contacts/bundled-1-01", #"{"company":"Acme"}"#)
      _ = try await agent.ask(.DELETE, "/v1/contacts/bundled-1-02")
      let second = try await client.changes(since: first.token)
      let (changed, gone) = ("\(Self.book)bundled-1-01.vcf", "\(Self.book)bundled-1-02.vcf")
      #expect(try second.cards == [changed])
      #expect(try second.status(of: gone) == "HTTP/1.1 404 Not Found")
      let tag = try await client.ask("GET", changed).tag
      #expect(try second.property(.dav("getetag"), of: changed)?.text == tag)
      #expect(try await client.changes(since: second.token).responses.isEmpty)
    }
  }

  @Test func `a limited answer is continued with its token`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      var (token, cards, pages) = ("", [String](), 0)
      while pages < 20 {
        let page = try await client.changes(since: token, limit: 3)
        #expect(page.status == 207)
        cards += try page.cards
        token = try page.token
        pages += 1
        let status = try page.status(of: Self.book)
        if status == nil { break }
        #expect(status == "HTTP/1.1 507 Insufficient Storage")
      }
      #expect(pages == 4 && cards.count == 10 && Set(cards).count == 10)
      #expect(try await client.changes(since: token).responses.isEmpty)
    }
  }

  @Test(arguments: ["x", "urn:contacts:sync/0/1/2", "http://example.org/ns/sync/1"])
  func `an unknown token gets 403 with its element, and 400 from Thunderbird`(token: String)
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (name, status) in [("", 403), ("Mozilla/5.0 Thunderbird/153.8", 400)] {
        let answer = try await client.changes(since: token, headers: ["User-Agent": name])
        #expect(answer.status == status && answer.condition?.name == .dav("valid-sync-token"))
      }
    }
  }
}
