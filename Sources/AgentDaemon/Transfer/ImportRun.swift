// One import from its first byte to the last line of its report. Contacts go in as they come, some at
// a time. Cards of groups wait for the end of the file, because they may stand before the contacts
// they name; what waits is bounded, and beyond the bound it is done at once.

import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import Hummingbird
import Records

/// An import under way.
struct ImportRun {
  /// What the groups that wait may hold together. More than that are done at once: members that come
  /// after them in the file are then told of as missing.
  private static let waitingBytesMaximum = 16 << 20

  private let order: ImportOrder
  private let driver: ReplicaDriver
  private let media: MediaFiles
  private var file: ContactFile
  private var report: ImportReport
  private var gathered: [ImportedContact] = []
  private var gatheredBytes = 0
  private var groups: [ImportedContact] = []
  private var waitingBytes = 0
  private var register = UIDRegister()

  /// An import of which nothing has come yet.
  init(_ order: ImportOrder, driver: ReplicaDriver, media: MediaFiles) {
    self.order = order
    self.driver = driver
    self.media = media
    file = ContactFile(format: order.format)
    report = ImportReport(file: order.file)
  }

  /// Takes the whole file and tells of it.
  /// - Throws: what writing the report throws; the import itself ends in the report's last line.
  mutating func take(
    _ body: RequestBody, reportingTo writer: inout any ResponseBodyWriter
  ) async throws {
    do {
      for try await buffer in body {
        try await gather(
          file.feed(buffer.readableBytesView), byteCount: buffer.readableBytes, &writer)
      }
      gathered += file.finish()
      try await takeGathered(&writer)
      try await takeGroups(&writer)
      report.end(isDryRun: order.isDryRun)
    } catch {
      // What came before stands; the head is out, so the last line tells.
      report.fail(ErrorResponse.recordsError(error))
    }
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
  }

  /// Contacts wait for each other until there are enough for a step: a page of an index that ten of
  /// them change is written once for all.
  private mutating func gather(
    _ contacts: [ImportedContact], byteCount: Int, _ writer: inout any ResponseBodyWriter
  ) async throws {
    gathered += contacts
    gatheredBytes += byteCount
    guard gathered.count >= ImportBatch.contactsMax || gatheredBytes >= ImportBatch.bytesMax
    else { return }
    try await takeGathered(&writer)
  }

  private mutating func takeGathered(_ writer: inout any ResponseBodyWriter) async throws {
    defer { (gathered, gatheredBytes) = ([], 0) }
    try await take(gathered, &writer)
  }

  private mutating func take(
    _ contacts: [ImportedContact], _ writer: inout any ResponseBodyWriter
  ) async throws {
    var rest = contacts.filter { !$0.isGroup }.map { register.resolved($0) }[...]
    while !rest.isEmpty {
      let outcomes = try await apply(Array(rest.prefix(ImportBatch.contactsMax)))
      rest = rest.dropFirst(ImportBatch.contactsMax)
      for outcome in outcomes { report.add(outcome) }
    }
    for group in contacts where group.isGroup {
      groups.append(group)
      waitingBytes += group.draft[.other].reduce(1024) { sum, entry in
        sum + entry[.value].utf8.count + Int(clamping: entry.content?.sizeBytes ?? 0)
      }
    }
    for finding in file.takeFindings() { report.add(finding) }
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
    if waitingBytes > Self.waitingBytesMaximum { try await takeGroups(&writer) }
  }

  private mutating func takeGroups(_ writer: inout any ResponseBodyWriter) async throws {
    for group in groups {
      try await take(group: group)
      if let bytes = report.takeBytes() { try await writer.write(bytes) }
    }
    groups = []
    waitingBytes = 0
  }

  /// Applies contacts or a group and lets go of their files, whatever comes of it.
  private mutating func apply(_ contacts: [ImportedContact]) async throws -> [ImportOutcome] {
    let kept = try await media.keep(contacts, isDryRun: order.isDryRun)
    let batch = ImportBatch(
      contacts: kept.contacts, assets: Set(kept.assets), policy: order.policy, zone: order.zone,
      isDryRun: order.isDryRun, action: report.action)
    do {
      let step = try await driver.edit { try batch.apply(to: $0, now: $1) }
      await media.release(kept)
      report.action = step.action
      // What went in before it stands, and is told of; then the import ends.
      if let failure = step.failure {
        for outcome in step.outcomes { report.add(outcome) }
        throw failure
      }
      return step.outcomes
    } catch {
      await media.release(kept)
      throw error
    }
  }

  // MARK: Groups

  private mutating func take(group: ImportedContact) async throws {
    var members = try GroupMembers(of: group, in: order.zone, driver.reader)
    var group = group
    group.keepMembers(members.missing)
    guard var outcome = try await apply([group]).first else { return }
    let isNew = outcome.kind == .added
    if order.policy == .skip, !isNew, outcome.kind != .failed {
      let isSame = try outcome.kind == .unchanged && members.haveAll(driver.reader)
      outcome.kind = isSame ? .unchanged : .skipped
    } else if outcome.kind != .failed, !order.isDryRun {
      while let batch = members.next(continuing: report.action) {
        let step = try await driver.edit { try batch.apply(to: $0, now: $1) }
        report.action = step.action
        members.note(step.outcomes)
        if let failure = step.failure { throw failure }
      }
      if members.changed > 0, outcome.kind == .unchanged { outcome.kind = .updated }
    }
    if outcome.kind != .unchanged, !order.isDryRun {
      outcome.contact.findings += members.findings(line: group.line)
    }
    report.add(outcome)
  }
}
