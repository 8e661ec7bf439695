// Lists of contacts, in pages: in an order, of a group, or of search results; and the section headings of
// such a list. The cursor of the next page is also in a header, so that clients can forward pages without
// parsing them.

import AddressBook
import AgentAPI
import Collation
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  func addListRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.contacts.route) { request, _ in try list(request) }
    router.get(AgentPath.sections.route) { request, _ in try sections(request) }
  }

  private func list(_ request: Request) throws -> Response {
    let selection = try selection(request)
    var query = try query(request)
    query.fields = selection.map { ContactRecord.fields(ofProperties: $0.names) }
    let who = try identity()
    let names = try preferences.nameOrder()
    let shown = selection ?? .all
    var page = ContactsPageWriter(
      reservingBytes: (selection == nil ? 1024 : 256) * (query.limit + 1))
    let end = try reader.forEachContact(query) { row in
      try shown.json(of: ContactItem(row, who: who, names: names, for: shown))
    } then: { json in
      page.add(json)
    }
    var response = Response(
      json: page.finish(language: end.language.description, next: end.next), status: .ok)
    if let next = end.next { response.headers[.nextCursor] = next }
    return response
  }

  private func selection(_ request: Request) throws -> ContactSelection? {
    guard let text = request.parameter(AgentQuery.properties) else { return nil }
    return try ContactSelection(text)
  }

  private func sections(_ request: Request) throws -> Response {
    let query = try query(request)
    let sections = try reader.sections(query.order, zone: query.zone)
    return try .json(
      SectionsView(
        sections: sections.map {
          SectionsView.Section(
            label: $0.label, contacts: $0.contacts, start: $0.start, cursor: $0.cursor)
        }))
  }

  /// Returns the order in `sort` of a request, or else the one chosen for this device.
  func order(_ request: Request?) throws -> ContactOrder {
    guard let text = request?.parameter(AgentQuery.sort) else {
      return ContactOrder(rawValue: try preferences.value(.sort)) ?? .last
    }
    guard let order = ContactOrder(rawValue: text) else {
      throw RecordsError.invalid(
        "sort must be last, first, company or modified.", field: AgentQuery.sort)
    }
    return order
  }

  private func query(_ request: Request) throws -> ContactQuery {
    var query = ContactQuery()
    query.order = try order(request)
    if let limit = try NumberParameter(AgentQuery.limit, 1...1000).value(in: request) {
      query.limit = Int(limit)
    }
    query.zone = try request.parameter(AgentQuery.group).map { try zone($0).zone }
    query.text = request.parameter(AgentQuery.search)
    query.cursor = request.parameter(AgentQuery.cursor)
    if given?.isLanguageGiven != true {
      query.language = request.parameter(AgentQuery.locale).map { Language($0) }
    }
    return query
  }
}
