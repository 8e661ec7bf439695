// Lists of contacts, in pages: in an order, of a group, or of search results; and the section headings of
// such a list. The cursor of the next page is also in a header, so that clients can forward pages without
// parsing them.

import AddressBook
import Collation
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentAPI {
  func addListRoutes(to router: Router<BasicRequestContext>) {
    let root = router.group("v1")
    root.get("contacts") { request, _ in try list(request) }
    root.get("sections") { request, _ in try sections(request) }
  }

  private func list(_ request: Request) throws -> Response {
    let page = try reader.contacts(try query(request))
    let who = try identity()
    var json = JSONWriter(reservingBytes: 1024 * (page.rows.count + 1))
    json.object { json in
      json.schema()
      json.key("contacts")
      json.list(page.rows) { json, row in json.contact(row, who: who) }
      json.key("language")
      json.value(page.language.description)
      json.key("next")
      json.value(page.next)
    }
    var response = Response.json(json)
    if let next = page.next { response.headers[.nextCursor] = next }
    return response
  }

  private func sections(_ request: Request) throws -> Response {
    let query = try query(request)
    let sections = try reader.sections(query.order, zone: query.zone)
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("sections")
      json.list(sections) { json, section in json.object { $0.properties(of: section) } }
    }
    return .json(json)
  }

  /// Returns the order in `sort` of a request, or else the one chosen for this device.
  func order(_ request: Request?) throws -> ContactOrder {
    guard let text = request?.uri.queryParameters["sort"] else {
      return ContactOrder(rawValue: try preferences.value(.sort)) ?? .last
    }
    guard let order = ContactOrder(rawValue: String(text)) else {
      throw RecordsError.invalid("sort must be last, first, company or modified.", field: "sort")
    }
    return order
  }

  private func query(_ request: Request) throws -> ContactQuery {
    let parameters = request.uri.queryParameters
    var query = ContactQuery()
    query.order = try order(request)
    if let limit = try NumberParameter("limit", 1...1000).value(in: request) {
      query.limit = Int(limit)
    }
    query.zone = try parameters["group"].map { try zone(String($0)).zone }
    query.text = parameters["q"].map(String.init)
    query.cursor = parameters["cursor"].map(String.init)
    query.language = parameters["locale"].map { Language(String($0)) }
    return query
  }
}

extension JSONWriter {
  fileprivate mutating func properties(of section: SectionView) {
    key("label")
    value(section.label)
    key("contacts")
    value(Int64(section.contacts))
    key("start")
    value(Int64(section.start))
    key("cursor")
    value(section.cursor)
  }
}

extension HTTPField.Name {
  /// The cursor of the next page.
  static let nextCursor = HTTPField.Name("Next-Cursor") ?? .location
}
