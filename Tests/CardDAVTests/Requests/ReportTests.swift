// Reports as clients send them.

import ContactCards
import Testing

@testable import CardDAV

@Suite("D1 reports")
struct ReportTests {
  private func report(_ body: String) throws -> Report {
    let names = #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav""#
    return try Report(document: Array(body.replacing("NAMES", with: names).utf8))
  }

  @Test func `a multiget names properties and cards`() throws {
    let report = try report(
      """
      <c:addressbook-multiget NAMES>
        <d:prop><d:getetag/><c:address-data version="4.0"/></d:prop>
        <d:href>/books/a/1.vcf</d:href><d:href>
          /books/a/2.vcf </d:href>
      </c:addressbook-multiget>
      """)
    guard case .multiget(let selection, let addresses) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(selection.extent == .some([.dav("getetag"), .card("address-data")]))
    #expect(selection.card == CardForm(version: .four))
    #expect(addresses == ["/books/a/1.vcf", "/books/a/2.vcf"])
  }

  @Test func `a multiget of ten thousand cards is read`() throws {
    let addresses = (0..<10_000).map {
      "<d:href>/books/default/contact-\($0)-0123456789abcdef.vcf</d:href>"
    }
    let report = try report(
      "<c:addressbook-multiget NAMES><d:prop/>\(addresses.joined())</c:addressbook-multiget>")
    guard case .multiget(_, let found) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(found.count == 10_000)
  }

  @Test func `changes are since a token, or from the beginning`() throws {
    for (token, limit, wanted) in [
      ("", "", nil), ("urn:x", "<d:limit><d:nresults>5</d:nresults></d:limit>", 5),
    ] {
      let report = try report(
        """
        <d:sync-collection NAMES><d:sync-token>\(token)</d:sync-token>
        <d:sync-level>1</d:sync-level>\(limit)<d:prop><d:getetag/></d:prop></d:sync-collection>
        """)
      guard case .changes(_, let since, let most) = report else {
        Issue.record("\(report)")
        return
      }
      #expect(since == token)
      #expect(most == wanted)
    }
  }

  @Test(arguments: [
    ("<d:expand-property NAMES/>", DAVError.Status.forbidden, "supported-report"),
    (
      "<d:sync-collection NAMES><d:limit><d:nresults>0</d:nresults></d:limit></d:sync-collection>",
      .badRequest, ""
    ),
    (
      "<c:addressbook-query NAMES><d:prop><c:address-data content-type='text/html'/></d:prop></c:addressbook-query>",
      .forbidden, "supported-address-data"
    ),
    (
      "<c:addressbook-query NAMES><c:filter test='none'/></c:addressbook-query>", .forbidden,
      "supported-filter"
    ),
  ])
  func `what the server cannot do has a status and an element`(
    body: String, status: DAVError.Status, element: String
  ) throws {
    let error = try #require(throws: DAVError.self) { try report(body) }
    #expect(error.status == status)
    #expect(error.condition?.name.local ?? "" == element)
  }
}
