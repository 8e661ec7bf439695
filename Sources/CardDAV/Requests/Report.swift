// The reports of a book: cards by address, cards by content, and what has changed (RFC 6352, section 8; RFC 6578).

/// The body of a REPORT.
package enum Report: Hashable, Sendable {
  /// `addressbook-multiget`: these cards. An address that names no card is answered too.
  case multiget(PropertySelection, addresses: [String])
  /// `addressbook-query`: the cards that meet a condition, at most `limit`.
  case query(PropertySelection, CardFilter, limit: Int?)
  /// `sync-collection`: what has changed since `token`, or all cards if it is empty.
  case changes(PropertySelection, since: String, limit: Int?)

  /// The reports that a book offers.
  package static let names: [XMLName] = [
    .card("addressbook-multiget"), .card("addressbook-query"), .dav("sync-collection"),
  ]

  /// The maximum number of addresses of a multiget. Clients are known to ask for 10,000.
  package static let addressesMaximum = 50_000

  /// Reads a report.
  /// - Throws: 403 with `supported-report` for another one.
  package init(document: some Collection<UInt8>) throws(DAVError) {
    let root = try XMLTree(document: document)
    let selection = try PropertySelection(in: root)
    switch root.name {
    case Self.names[0]:
      let addresses = root.all(.dav("href")).map { $0.text.trimmingLines }
      guard addresses.count <= Self.addressesMaximum else { throw .tooLarge("The list of cards") }
      self = .multiget(selection, addresses: addresses)
    case Self.names[1]:
      let filter = try CardFilter(root[.card("filter")] ?? XMLTree(.card("filter")))
      let limit = try root[.card("limit")].flatMap { $0[.card("nresults")] }
        .map { number throws(DAVError) in try Self.number(number) }
      self = .query(selection, filter, limit: limit)
    case Self.names[2]:
      let limit = try root[.dav("limit")].flatMap { $0[.dav("nresults")] }
        .map { number throws(DAVError) in try Self.number(number) }
      let token = root[.dav("sync-token")]?.text.trimmingLines ?? ""
      self = .changes(selection, since: token, limit: limit)
    default:
      throw DAVError(
        .forbidden, "This server has no report “\(root.name.local.prefix(100))”.",
        condition: XMLTree(.dav("supported-report")))
    }
  }

  private static func number(_ element: XMLTree) throws(DAVError) -> Int {
    guard let number = Int(element.text.trimmingLines), number > 0 else {
      throw DAVError(.badRequest, "The limit of a report must be a number from 1.")
    }
    return number
  }
}

extension String {
  /// The text without the blanks and line ends around it, with which documents are indented.
  var trimmingLines: String {
    let isBlank = { (character: Character) in character.isWhitespace }
    // A multiget has thousands of addresses, most of them without blanks.
    guard first.map(isBlank) == true || last.map(isBlank) == true else { return self }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
