// One import, from the first byte of the file to the last line of the report. Contacts are imported in
// batches as they arrive. Cards of groups wait for the end of the file, because they may precede the contacts
// they name. The memory for waiting groups is limited; beyond the limit they are imported at once.

import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import Hummingbird
import Records

/// An active import.
struct ImportRun {
  /// The maximum size of waiting groups. Beyond it they are imported at once, and members that follow in the
  /// file are reported as missing.
  private static let waitingBytesMaximum = 16 << 20

  private let options: ImportOptions
  private let driver: ReplicaDriver
  private let media: MediaFiles
  private var file: ContactFile
  private var report: ImportReport
  private var gathered: [ImportedContact] = []
  private var gatheredBytes = 0
  private var groupCards: [ImportedContact] = []
  private var groups = ImportedGroups()
  private var waitingBytes = 0
  private var register = UIDRegister()

  /// Creates an import that has read nothing yet.
  init(_ options: ImportOptions, driver: ReplicaDriver, media: MediaFiles) {
    self.options = options
    self.driver = driver
    self.media = media
    file = ContactFile(format: options.format)
    report = ImportReport(file: options.file)
  }

  /// Imports the whole file and writes the report.
  /// - Throws: Any error of writing the report; an error of the import becomes the report's last line.
  mutating func take(
    _ body: RequestBody, reportingTo writer: inout any ResponseBodyWriter
  ) async throws {
    do {
      for try await buffer in body {
        try await gather(
          file.feed(buffer.readableBytesView), byteCount: buffer.readableBytes, &writer)
      }
      // The body of a cancelled request ends early: the rest of the file is missing.
      try Task.checkCancellation()
      gathered += file.finish()
      try await takeGathered(&writer)
      try await takeGroupCards(&writer)
      report.end(isDryRun: options.isDryRun, madeGroups: groups.made)
    } catch {
      // Earlier contacts stay imported. The response has started, so the last line reports the error.
      report.fail(ErrorResponse.recordsError(error))
    }
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
  }

  /// Collects contacts until there are enough for a step, because one transaction writes an index page once
  /// for all of them.
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
      groupCards.append(group)
      waitingBytes += group.draft[.other].reduce(1024) { sum, entry in
        sum + entry[.value].utf8.count + Int(clamping: entry.content?.sizeBytes ?? 0)
      }
    }
    for finding in file.takeFindings() { report.add(finding) }
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
    if waitingBytes > Self.waitingBytesMaximum { try await takeGroupCards(&writer) }
  }

  private mutating func takeGroupCards(_ writer: inout any ResponseBodyWriter) async throws {
    for group in groupCards {
      try await take(card: group)
      if let bytes = report.takeBytes() { try await writer.write(bytes) }
    }
    groupCards = []
    waitingBytes = 0
  }

  /// Imports contacts or a group, and releases their files in every case.
  private mutating func apply(_ contacts: [ImportedContact]) async throws -> [ImportOutcome] {
    let kept = try await media.keep(contacts, isDryRun: options.isDryRun)
    let batch = ImportBatch(
      contacts: kept.contacts, assets: Set(kept.assets), policy: options.policy, zone: options.zone,
      isDryRun: options.isDryRun, action: report.action, groups: groups)
    do {
      let result = try await driver.edit { try batch.apply(to: $0, now: $1) }
      await media.release(kept)
      let step = result.step
      groups = result.groups
      report.action = step.action
      // Contacts before the failure stay imported and are reported; then the import ends.
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

  // MARK: Group cards

  private mutating func take(card: ImportedContact) async throws {
    var members = try GroupMembers(of: card, in: options.zone, driver.reader)
    var group = card
    group.keepMembers(members.missing)
    guard var outcome = try await apply([group]).first else { return }
    let isNew = outcome.kind == .added
    if options.policy == .skip, !isNew, outcome.kind != .failed {
      let isSame = try outcome.kind == .unchanged && members.haveAll(driver.reader)
      outcome.kind = isSame ? .unchanged : .skipped
    } else if outcome.kind != .failed, !options.isDryRun {
      while let batch = members.next(continuing: report.action) {
        let step = try await driver.edit { try batch.apply(to: $0, now: $1) }
        report.action = step.action
        members.note(step.outcomes)
        if let failure = step.failure { throw failure }
      }
      if members.changed > 0, outcome.kind == .unchanged { outcome.kind = .updated }
    }
    if outcome.kind != .unchanged, !options.isDryRun {
      outcome.contact.findings += members.findings(line: group.line)
    }
    report.add(outcome)
  }
}
