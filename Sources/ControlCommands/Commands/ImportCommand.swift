// Imports contacts from files. The agent reads them while they are sent, imports every valid contact, and
// reports each problem with its line. This subcommand prints the report.

import AgentAPI
import ArgumentParser
import Foundation
import NIOCore
import Records

/// `import`: import contacts from files.
struct ImportCommand: ControlCommand {
  enum Duplicate: String, ExpressibleByArgument, Sendable, CaseIterable { case skip, update, new }
  enum Format: String, ExpressibleByArgument, Sendable, CaseIterable {
    case vcard, jcard, csv, json
  }

  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import contacts from vCard, jCard, CSV or JSON files.",
    discussion: """
      An existing contact is recognized by its UID, or if all its values are equal, so importing a \
      file twice changes nothing. In a table without UIDs it is also recognized by its name with a \
      number or an e-mail address. Unusual values are imported with a warning. Pictures become \
      contact photos. A contact goes into your own group that the file names, which is created if \
      there is none; it goes into the default group if the file names none, or one that others can \
      see. A group card adds its title as a category to its members. If contacts in one file share \
      a UID, the first one keeps it. Exits with 65 if a file contains no contacts, or \
      if a contact could not be imported completely; all others are imported.
      """)

  @Argument(
    help: ArgumentHelp("The files; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]
  @Flag(name: [.customShort("n"), .long], help: "Change nothing; print what would be imported.")
  var dryRun = false
  @Option(help: "What to do with contacts that already exist.")
  var onDuplicate: Duplicate = .skip
  @Option(
    help: "The group for all contacts, by id or title, whatever groups the file names.",
    completion: CompletionSource.groups)
  var group: String?
  @Option(help: "The file format; detected from the first bytes by default.")
  var format: Format?
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    var sums = ImportLine.Summary()
    var actions: [Int64] = []
    var added: Set<String> = []
    var firstFailure: ControlFailure?
    for file in files {
      do throws(ControlFailure) {
        let (summary, ids) = try await importFile(file, session)
        sums.add(summary)
        added.formUnion(ids)
        if summary.isEmpty { throw Self.noContacts(in: file) }
        if let action = summary.action { actions.append(action) }
      } catch {
        // The other files may be valid; but without an agent they would fail too.
        guard error.exitCode != .unreachable, files.count > 1 else { throw error }
        session.printer.failed(error)
        firstFailure = firstFailure ?? error
      }
    }
    session.printer.remark(sums.sentence(isDryRun: dryRun, actions: actions))
    if !dryRun, !added.isEmpty, let found = await duplicates(session),
      let sentence = Self.sentence(duplicates: found, added: added)
    {
      session.printer.remark(sentence)
    }
    if let firstFailure { return firstFailure.exitCode }
    return sums.failed + sums.damaged > 0 ? .content : .done
  }

  /// Returns the likely duplicates, for a user. A failure here is not one of the import, so it is not
  /// reported.
  private func duplicates(_ session: CommandSession) async -> [DuplicatesView.Pair]? {
    guard session.printer.style == .terminal else { return nil }
    let reply = try? await session.agent.get(.duplicates)
    return try? reply?.decoded(as: DuplicatesView.self).duplicates
  }

  /// Returns the sentence about the likely duplicates of imported contacts; `nil` if there are none.
  /// - Parameter added: The ids of the contacts that the import added.
  static func sentence(duplicates: [DuplicatesView.Pair], added: Set<String>) -> String? {
    let count = duplicates.count { $0.contacts.contains { added.contains($0.id) } }
    guard count > 0 else { return nil }
    return "\(Quantity.text(count, "likely duplicate")). To see them: contactsctl dedupe"
  }

  private static func noContacts(in file: String) -> ControlFailure {
    ControlFailure(
      code: RecordsError.Code.invalidArguments.rawValue,
      message: "\(file == "-" ? "Standard input" : "“\(file)”") contains no contacts.",
      hint: "Supported formats are vCard, jCard, CSV and JSON; --format sets the format.",
      exitCode: .content)
  }

  /// Imports a file.
  /// - Returns: The totals, and the ids of the added contacts.
  private func importFile(
    _ path: String, _ session: CommandSession
  ) async throws(ControlFailure) -> (ImportLine.Summary, added: [String]) {
    let chunks = try FileChunks(path: path)
    let name = path == "-" ? "-" : URL(filePath: path).lastPathComponent
    var query = [(AgentQuery.file, name), (AgentQuery.onDuplicate, onDuplicate.rawValue)]
    if dryRun { query.append((AgentQuery.dryRun, "true")) }
    if let group { query.append((AgentQuery.group, group)) }
    if let format { query.append((AgentQuery.format, format.rawValue)) }
    let body = try await session.agent.importing(chunks, query: query)
    var report = ImportPrinter(printer: session.printer, file: name, chunks: chunks)
    var cutter = LineCutter()
    var bytes = body.makeAsyncIterator()
    while let buffer = try await Self.next(&bytes) {
      for line in try cutter.take(buffer.readableBytesView) { try report.take(line) }
    }
    let summary = try report.end()
    if session.printer.style != .json, !summary.columns.isEmpty {
      await session.printer.rows(Self.table(of: summary.columns, in: name, session.printer.style))
    }
    return (summary, report.added)
  }

  /// Returns the rows that show what a table's columns become.
  static func table(
    of columns: [ImportLine.Column], in file: String, _ style: Printer.Style
  ) -> [[String]] {
    let rows = columns.map { [$0.name, $0.becomes, $0.samples.joined(separator: " | ")] }
    guard style == .terminal else { return rows.map { [file, "column"] + $0 } }
    return [["COLUMN", "BECOMES", "SAMPLES"]] + rows
  }

  private static func next(
    _ bytes: inout some AsyncIteratorProtocol<ByteBuffer, any Error>
  ) async throws(ControlFailure) -> ByteBuffer? {
    do {
      return try await bytes.next()
    } catch {
      throw .error(
        .serverResponseLost, "The connection to contactsd was lost during the import.",
        hint: "Import the file again; contacts that were imported are not added twice.")
    }
  }
}

/// Prints a report as it arrives.
private struct ImportPrinter {
  let printer: Printer
  let file: String
  let chunks: FileChunks
  /// The ids of the added contacts.
  private(set) var added: [String] = []
  private var count = 0
  private var shownAt = ContinuousClock.now
  private var summary: ImportLine.Summary?

  init(printer: Printer, file: String, chunks: FileChunks) {
    self.printer = printer
    self.file = file
    self.chunks = chunks
  }

  mutating func take(_ bytes: [UInt8]) throws(ControlFailure) {
    let line = try AgentReply(bytes: bytes).decoded(as: ImportLine.self)
    if printer.style == .json {
      printer.json(bytes)
    } else if let contact = line.contact {
      show(contact)
    } else if let finding = line.finding {
      show(finding, name: "")
    }
    if let found = line.summary { summary = found }
    if let error = line.error {
      printer.progress("")
      throw ControlFailure(error)
    }
    if let contact = line.contact {
      count += 1
      if contact.outcome == "added", let id = contact.id { added.append(id) }
    }
    showProgress()
  }

  /// Returns the totals.
  /// - Throws: If the report ended before them.
  func end() throws(ControlFailure) -> ImportLine.Summary {
    printer.progress("")
    guard let summary else {
      throw .error(
        .serverResponseLost, "The connection to contactsd was lost during the import.",
        hint: "Import the file again; contacts that were imported are not added twice.")
    }
    return summary
  }

  private func show(_ contact: ImportLine.Contact) {
    for finding in contact.findings { show(finding, name: contact.name) }
    guard contact.outcome == "skipped" else { return }
    let sentence = "Exists with other values; to use those of the file: --on-duplicate update"
    show(
      ImportLine.Finding(
        line: contact.line, property: "", outcome: contact.outcome, message: sentence),
      name: contact.name)
  }

  private func show(_ finding: ImportLine.Finding, name: String) {
    printer.progress("")
    guard printer.style == .terminal else {
      return printer.row([
        file, String(finding.line), name, finding.outcome, finding.property, finding.message,
      ])
    }
    let place = [name, finding.property].filter { !$0.isEmpty }.joined(separator: ", ")
    let lead = PlainText.clean("\(file):\(finding.line)")
    let color: Printer.Color = ["failed", "lost"].contains(finding.outcome) ? .red : .dim
    let text = [PlainText.clean(place), PlainText.clean(finding.message)].filter { !$0.isEmpty }
    let lines = TextWidth.lines(
      of: text.joined(separator: ": "), limit: max(20, printer.terminal.columns - 2))
    printer.text(
      ([printer.emphasized(lead, color)] + lines.map { "  " + $0 }).joined(separator: "\n"))
  }

  private mutating func showProgress() {
    guard printer.showsProgress, ContinuousClock.now - shownAt > .milliseconds(100) else { return }
    shownAt = .now
    guard let size = chunks.sizeBytes else {
      return printer.progress("\(file)  \(Quantity.text(count))")
    }
    let part = min(1, Double(chunks.readBytes) / Double(size))
    let filled = Int(part * 20)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let name = TextWidth.cut(file, to: 30)
    printer.progress("\(name)  \(bar)  \(Int(part * 100)) %  \(Quantity.text(count, "contact"))")
  }
}
