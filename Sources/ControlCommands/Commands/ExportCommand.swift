// Exports the address book to a file. It is written as a stream; a named file appears only when it is
// complete.

import AgentAPI
import ArgumentParser
import Foundation
import NIOCore
import Records

/// `export`: export contacts to a file.
struct ExportCommand: ControlCommand {
  enum Format: String, ExpressibleByArgument, Sendable, CaseIterable {
    case vcard3, vcard4, jcard, json, csv

    /// The format that the ending of a file's name says; `nil` if it says none.
    init?(ending path: String) {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      switch path[path.index(after: dot)...].lowercased() {
      case "vcf", "vcard": self = .vcard3
      case "jcf", "jcard": self = .jcard
      case "json": self = .json
      case "csv": self = .csv
      default: return nil
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export contacts as vCard, jCard, JSON or CSV.",
    discussion: """
      Exports all groups, including shared ones, unless one is named. Most programs read vcard3. \
      vCard, jCard and JSON contain everything, including photos and the title of each contact's \
      group; CSV contains what fits in a table. Exits with 75 if a photo is only on another device \
      and the broker cannot be reached; everything else is exported.
      """)

  @Option(help: "The file format; by default the one of the output file's ending, or vcard3.")
  var format: Format?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output file; - is standard output.", valueName: "file"),
    completion: .file())
  var output = "-"
  @Option(
    help: "Only the contacts of this group, by id or title.", completion: CompletionSource.groups)
  var group: String?
  @Flag(
    help: """
      Also export each category as a group card, for Apple's programs. Groups that were imported \
      as cards are always exported as cards.
      """)
  var groupCards = false
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let format = format ?? Format(ending: output) ?? .vcard3
    var query = [(AgentQuery.format, format.rawValue)]
    if let group { query.append((AgentQuery.group, group)) }
    if groupCards { query.append((AgentQuery.groupCards, "true")) }
    let (body, missing) = try await session.agent.exporting(query: query)
    guard output != "-" else {
      var shown = session.printer.isOnTerminal ? TerminalBytes() : nil
      try await Self.copy(body) { session.printer.bytes(shown?.feed($0) ?? $0) }
      if let end = shown?.finish() { session.printer.bytes(end) }
      return Self.status(missing, session)
    }
    let file = try OutputFile(path: output)
    do {
      try await Self.copy(body) { (bytes) throws(ControlFailure) in try file.write(bytes) }
      try file.finish()
    } catch {
      file.discard()
      throw error
    }
    let rest = format == .csv ? " Photos, and what has no column, are not in a table." : ""
    session.printer.remark("Written to \(output).\(rest)")
    return Self.status(missing, session)
  }

  private static func status(_ missing: Int, _ session: CommandSession) -> ExitStatus {
    guard missing > 0 else { return .done }
    session.printer.failed(
      .error(
        .serviceUnavailable,
        "\(missing) \(missing == 1 ? "picture is" : "pictures are") not on this device and could "
          + "not be downloaded; the file does not contain \(missing == 1 ? "it" : "them").",
        hint: "Export again when contactsctl status says live."))
    return .tryLater
  }

  private static func copy(
    _ body: some AsyncSequence<ByteBuffer, any Error>,
    to write: ([UInt8]) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    var iterator = body.makeAsyncIterator()
    while true {
      let buffer: ByteBuffer?
      do {
        buffer = try await iterator.next()
      } catch {
        throw .error(
          .serverResponseLost, "The connection to contactsd was lost; the export is incomplete.",
          hint: "Try again.")
      }
      guard let buffer else { return }
      try write(Array(buffer.readableBytesView))
    }
  }
}
