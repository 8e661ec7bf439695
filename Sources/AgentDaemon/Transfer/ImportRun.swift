// One import, from the first byte of the file to the last line of the report. Contacts are imported in
// batches as they arrive. Cards of groups wait for the end of the file, because they may precede the contacts
// they name. The memory for waiting groups is limited; beyond the limit they are imported at once.

import AddressBook
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
  private var gathered = Gathered()
  private var groupCards: [ImportedContact] = []
  private var groups = ImportedGroups()
  private var waitingBytes = 0
  private var register = UIDRegister()
  /// The contacts before the import, if the file is a table without UIDs.
  private var people: KnownPeople?
  private var steps: StartedSteps

  /// Creates an import that has read nothing yet.
  init(_ options: ImportOptions, driver: ReplicaDriver, media: MediaFiles) {
    self.options = options
    self.driver = driver
    self.media = media
    file = ContactFile(format: options.format)
    report = ImportReport(file: options.file)
    steps = StartedSteps(lastAdded: !options.isDryRun)
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
      gathered.contacts += file.finish()
      try await takeGathered(&writer)
      try await finishSteps()
      try await takeGroupCards(&writer)
      report.end(isDryRun: options.isDryRun, madeGroups: groups.made, columns: file.columns)
    } catch {
      // Earlier contacts stay imported. The response has started, so the last line reports the error.
      report.fail(ErrorResponse.recordsError(await failureOfSteps() ?? error))
    }
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
  }

  /// Collects contacts until there are enough for a step, because one transaction writes an index page once
  /// for all of them.
  private mutating func gather(
    _ contacts: [ImportedContact], byteCount: Int, _ writer: inout any ResponseBodyWriter
  ) async throws {
    gathered.contacts += contacts
    gathered.byteCount += byteCount
    guard gathered.isStep else { return }
    try await takeGathered(&writer)
  }

  /// The contacts that wait for a step.
  private struct Gathered {
    var contacts: [ImportedContact] = []
    var byteCount = 0

    /// Whether there are enough.
    var isStep: Bool {
      contacts.count >= ImportBatch.contactsMax || byteCount >= ImportBatch.bytesMax
    }
  }

  private mutating func takeGathered(_ writer: inout any ResponseBodyWriter) async throws {
    defer { gathered = Gathered() }
    try await take(gathered.contacts, &writer)
  }

  private mutating func take(
    _ contacts: [ImportedContact], _ writer: inout any ResponseBodyWriter
  ) async throws {
    var rest = contacts.filter { !$0.isGroup }.map { register.resolved($0) }[...]
    while !rest.isEmpty {
      try await beginStep(Array(rest.prefix(ImportBatch.contactsMax)))
      rest = rest.dropFirst(ImportBatch.contactsMax)
    }
    for group in contacts where group.isGroup {
      groupCards.append(group)
      waitingBytes += group.draft[.other].reduce(1024) { sum, entry in
        sum + entry[.value].utf8.count + Int(clamping: entry.content?.sizeBytes ?? 0)
      }
    }
    note(file.takeFindings())
    if let bytes = report.takeBytes() { try await writer.write(bytes) }
    if waitingBytes > Self.waitingBytesMaximum { try await takeGroupCards(&writer) }
  }

  /// Reports problems between contacts, after the contacts before them.
  private mutating func note(_ findings: [CardFinding]) {
    if steps.all.isEmpty {
      for finding in findings { report.add(finding) }
    } else {
      steps.all[steps.all.count - 1].findings += findings
    }
  }

  private mutating func takeGroupCards(_ writer: inout any ResponseBodyWriter) async throws {
    try await finishSteps()
    for group in groupCards {
      try await take(card: group)
      if let bytes = report.takeBytes() { try await writer.write(bytes) }
    }
    groupCards = []
    waitingBytes = 0
  }

  // MARK: Steps

  /// The maximum number of steps that are under way: one that the device performs, and one that waits for it. The
  /// device has other work between the steps, such as outcomes, and should not have to wait for the next one.
  private static let stepsMaximum = 2

  /// Begins to import contacts. They are prepared while the device performs the steps before.
  private mutating func beginStep(_ contacts: [ImportedContact]) async throws {
    let kept = try await media.keep(contacts, isDryRun: options.isDryRun)
    let prepared: [PreparedContact]
    do {
      prepared = try prepare(kept.contacts)
      while steps.all.count >= Self.stepsMaximum { try await finishFirstStep() }
    } catch {
      await media.release(kept)
      throw error
    }
    let batch = ImportBatch(
      contacts: prepared, listed: ListedContacts(prepared.lazy.compactMap(\.listed)),
      assets: Set(kept.assets), policy: options.policy, zone: options.zone,
      isDryRun: options.isDryRun, action: report.action, groups: groups)
    let work = StepWork(
      batch: batch, kept: kept, driver: driver, media: media, former: steps.all.last?.task)
    // NB: a task of its own, so that this one reads on. The end of the import and its failure wait for it.
    let task = Task(executorPreference: globalConcurrentExecutor) { try await work.perform() }
    steps.all.append(StartedSteps.Step(task: task))
  }

  private mutating func prepare(_ contacts: [ImportedContact]) throws -> [PreparedContact] {
    let preparation = try steps.lastAdded ? driver.reader.contactPreparation() : nil
    if people == nil, file.isTable, contacts.contains(where: { $0.draft[.uid].isEmpty }) {
      people = try driver.reader.knownPeople(in: options.zone)
    }
    return contacts.map {
      PreparedContact($0, in: options.zone ?? .standard, among: people, with: preparation)
    }
  }

  /// Completes and reports the steps under way, although the import has failed. Returns the first error of a step, if
  /// there is one.
  private mutating func failureOfSteps() async -> (any Error)? {
    var failure: (any Error)?
    while !steps.all.isEmpty {
      do {
        try await finishFirstStep()
      } catch is FormerStepFailed {
        // The error of the former step is already known.
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }

  /// Waits for the steps under way, and reports their contacts.
  private mutating func finishSteps() async throws {
    while !steps.all.isEmpty { try await finishFirstStep() }
  }

  private mutating func finishFirstStep() async throws {
    let findings = steps.all[0].findings
    for outcome in try await completeFirstStep().outcomes { report.add(outcome) }
    for finding in findings { report.add(finding) }
  }

  /// Waits for the first step under way.
  /// - Throws: the error of the step. Contacts before the failure stay imported and are reported; then the import ends.
  private mutating func completeFirstStep() async throws -> ImportBatch.Step {
    let result = try await steps.all.removeFirst().task.value
    groups = result.groups
    report.action = result.step.action
    steps.lastAdded = !options.isDryRun && result.step.outcomes.contains { $0.kind == .added }
    guard let failure = result.step.failure else { return result.step }
    for outcome in result.step.outcomes { report.add(outcome) }
    throw failure
  }

  /// The steps that the device performs while the next contacts are read.
  private struct StartedSteps {
    /// The steps under way, in their order. Each waits for the one before.
    var all: [Step] = []
    /// Whether the last step that ended added contacts, so that the next ones probably do.
    var lastAdded: Bool

    struct Step {
      let task: Task<ImportBatch.Result, any Error>
      /// The problems between contacts that are reported after the step.
      var findings: [CardFinding] = []
    }
  }

  /// The error of a step that was not performed, because the one before failed. It is not reported.
  private struct FormerStepFailed: Error {}

  /// A step of the import, on the device.
  private struct StepWork: Sendable {
    let batch: ImportBatch
    let kept: MediaFiles.Kept
    let driver: ReplicaDriver
    let media: MediaFiles
    /// The step before; `nil` if it has ended, and the batch continues from it.
    let former: Task<ImportBatch.Result, any Error>?

    /// Performs the step after the one before, and releases the files of its contacts in every case.
    /// - Throws: `FormerStepFailed`, besides the errors of the step.
    func perform() async throws -> ImportBatch.Result {
      do {
        let batch = try await continued()
        let result = try await driver.edit { try batch.apply(to: $0, now: $1) }
        await media.release(kept)
        return result
      } catch {
        await media.release(kept)
        throw error
      }
    }

    /// Returns the batch, with what the step before made.
    private func continued() async throws -> ImportBatch {
      guard let former else { return batch }
      guard case .success(let result) = await former.result, result.step.failure == nil else {
        throw FormerStepFailed()
      }
      var batch = batch
      batch.action = result.step.action
      batch.groups = result.groups
      return batch
    }
  }

  // MARK: Group cards

  /// Imports a group's card without its members.
  private mutating func outcome(of group: ImportedContact) async throws -> ImportOutcome? {
    try await beginStep([group])
    return try await completeFirstStep().outcomes.first
  }

  private mutating func take(card: ImportedContact) async throws {
    var members = try GroupMembers(of: card, in: options.zone, driver.reader)
    var group = card
    group.keepMembers(members.missing)
    guard var outcome = try await outcome(of: group) else { return }
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
