// Address books in and out. Both ways are streams, so a hundred thousand contacts take no more
// memory than fifty: an import is told of while it is still being sent, an export is read page by
// page. Reading cards is work, so it is done away from the loops that answer everybody else.

import AddressBook
import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import TimelineStore

extension AgentAPI {
  func addTransferRoutes(to router: Router<BasicRequestContext>) {
    router.post("v1/import") { request, _ in try importContacts(request) }
    router.get("v1/export") { request, _ in try await exportContacts(request) }
  }

  private func importContacts(_ request: Request) throws -> Response {
    let order = try ImportOrder(request, zone: { try zone($0) })
    let driver = driver
    let media = MediaFiles(driver: driver)
    return Response(
      status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        // NB: the reading must not run on the connection's loop; see LoopExecutor.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
          var run = ImportRun(order, driver: driver, media: media)
          try await run.take(request.body, reportingTo: &writer)
        }
        try await writer.finish(nil)
      })
  }

  private func exportContacts(_ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let name = parameters["format"].map { String($0) } ?? ExportFormat.vcard3.rawValue
    guard let format = ExportFormat(rawValue: name) else {
      let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordsError.invalid("format must be one of \(names).", field: "format")
    }
    var query = ContactQuery(limit: ExportFormat.contactsPerPage)
    query.zone = try parameters["group"].map { try zone(String($0)).zone }
    let groups = ExportedGroups(
      try reader.groupRecords(in: query.zone), categoriesToo: parameters["groupCards"] == "true")
    let reader = reader
    let media = MediaFiles(driver: driver)
    // Told in the head: a file has no place to say what it lacks.
    let missing = format.hasMedia ? try await media.fetchMissing(in: query.zone) : 0
    return Response(
      status: .ok,
      headers: [
        .contentType: format.mediaType, .cacheControl: "no-store", .mediaMissing: String(missing),
      ],
      body: ResponseBody { [query] writer in
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
          try await Self.write(format, query, groups, reader, media, &writer)
        }
        try await writer.finish(nil)
      })
  }

  private static func write(
    _ format: ExportFormat, _ first: ContactQuery, _ groups: ExportedGroups,
    _ reader: DeviceReader, _ media: MediaFiles, _ writer: inout any ResponseBodyWriter
  ) async throws {
    var query = first
    var export = ContactExport(format: format, groups: groups, media: media)
    repeat {
      let page = try reader.contacts(query)
      for row in page.rows {
        try await export.add(
          ContactRecord.contact(named: row.record.id.name, fields: row.record.fields),
          modified: row.record.modified)
        if let bytes = export.takeBytes(atLeast: 64 << 10) { try await writer.write(bytes) }
      }
      query.cursor = page.next
    } while query.cursor != nil
    try await export.end()
    if let bytes = export.takeBytes(atLeast: 1) { try await writer.write(bytes) }
  }
}

/// What a client asks for of an import.
struct ImportOrder: Sendable {
  /// The file's form; `nil` when it is to be seen.
  var format: ContactFileFormat?
  /// What becomes of contacts that are here already.
  var policy = DuplicatePolicy.skip
  /// The group they go to.
  var zone: ZoneID?
  /// Whether nothing is to be done but told.
  var isDryRun = false
  /// What the sender calls the file.
  var file = ""

  /// Reads a request.
  /// - Throws: `invalidArguments`, or what `zone` throws.
  init(_ request: Request, zone: (String) throws -> GroupView) throws {
    let parameters = request.uri.queryParameters
    if let text = parameters["format"] {
      format = ContactFileFormat(rawValue: String(text))
      guard format != nil else {
        let names = ContactFileFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw RecordsError.invalid("format must be one of \(names).", field: "format")
      }
    }
    if let text = parameters["onDuplicate"] {
      guard let policy = DuplicatePolicy(rawValue: String(text)) else {
        throw RecordsError.invalid("onDuplicate must be skip, update or new.", field: "onDuplicate")
      }
      self.policy = policy
    }
    self.zone = try parameters["group"].map { name in
      let group = try zone(String(name))
      guard group.isWritable else { throw RecordsError.readOnly(group.displayTitle) }
      return group.zone
    }
    isDryRun = parameters["dryRun"] == "true"
    file = parameters["file"].map { String($0.prefix(255)) } ?? ""
  }
}

extension HTTPField.Name {
  /// How many pictures and sounds an export lacks because they are not on the device.
  static let mediaMissing = HTTPField.Name("Media-Missing") ?? .contentType
}
