// Import and export of address books. Both are streams, so a hundred thousand contacts need no more memory
// than fifty: an import is reported while it is being received, an export is read page by page. Parsing cards
// takes time, so it does not run on the event loops that serve other requests.

import AddressBook
import AgentAPI
import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import TimelineStore

extension AgentRoutes {
  func addTransferRoutes(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.contactImport.route) { request, _ in try importContacts(request) }
    router.get(AgentPath.contactExport.route) { request, _ in try await exportContacts(request) }
  }

  private func importContacts(_ request: Request) throws -> Response {
    let options = try ImportOptions(request, zone: { try zone($0) })
    let driver = driver
    let media = MediaFiles(driver: driver)
    return Response(
      status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await ReportQueue.run(to: &writer) { report in
          var run = ImportRun(options, driver: driver, media: media)
          try await run.take(request.body, reportingTo: &report)
        }
        try await writer.finish(nil)
      })
  }

  private func exportContacts(_ request: Request) async throws -> Response {
    let name = request.parameter(AgentQuery.format) ?? ExportFormat.vcard3.rawValue
    guard let format = ExportFormat(rawValue: name) else {
      let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordsError.invalid("format must be one of \(names).", field: AgentQuery.format)
    }
    var query = ContactQuery(limit: ExportFormat.contactsPerPage)
    query.zone = try request.parameter(AgentQuery.group).map { try zone($0).zone }
    let groups = ExportedGroups(
      try reader.groupRecords(in: query.zone),
      categoriesToo: try request.flag(AgentQuery.groupCards))
    let reader = reader
    let media = MediaFiles(driver: driver)
    // In a header, because the file has no place to report missing pictures.
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
      // For each page, because a group may be created or renamed during the export.
      let titles = Dictionary(uniqueKeysWithValues: try reader.groups().map { ($0.zone, $0.title) })
      for row in page.rows {
        try await export.add(
          ContactRecord.contact(named: row.record.id.name, fields: row.record.fields),
          group: titles[row.record.id.zone] ?? "", modified: row.record.modified)
        if let bytes = export.takeBytes(atLeast: 64 << 10) { try await writer.write(bytes) }
      }
      query.cursor = page.next
    } while query.cursor != nil
    try await export.end()
    if let bytes = export.takeBytes(atLeast: 1) { try await writer.write(bytes) }
  }
}

/// The parameters of an import.
struct ImportOptions: Sendable {
  /// The format of the file; `nil` to detect it.
  var format: ContactFileFormat?
  /// What to do with contacts that already exist.
  var policy = DuplicatePolicy.skip
  /// The destination group; `nil` for the groups that the file names.
  var zone: ZoneID?
  /// Whether to report only, without changes.
  var isDryRun = false
  /// The file name in the request.
  var file = ""

  /// Parses the parameters of a request.
  /// - Throws: `invalidArguments`, or an error of `zone`.
  init(_ request: Request, zone: (String) throws -> GroupView) throws {
    if let text = request.parameter(AgentQuery.format) {
      format = ContactFileFormat(rawValue: text)
      guard format != nil else {
        let names = ContactFileFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw RecordsError.invalid("format must be one of \(names).", field: AgentQuery.format)
      }
    }
    if let text = request.parameter(AgentQuery.onDuplicate) {
      guard let policy = DuplicatePolicy(rawValue: text) else {
        throw RecordsError.invalid(
          "onDuplicate must be skip, update or new.", field: AgentQuery.onDuplicate)
      }
      self.policy = policy
    }
    self.zone = try request.parameter(AgentQuery.group).map { name in
      let group = try zone(name)
      guard group.isWritable else { throw RecordsError.readOnly(group.displayTitle) }
      return group.zone
    }
    isDryRun = try request.flag(AgentQuery.dryRun)
    file = request.parameter(AgentQuery.file).map { String($0.prefix(255)) } ?? ""
  }
}
