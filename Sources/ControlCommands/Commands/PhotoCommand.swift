// Saves a contact's photo to a file, or writes it to stdout.

import AgentAPI
import ArgumentParser
import Foundation
import Records

/// `photo`: save a contact's photo.
struct PhotoCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "Save a contact's photo to a file.",
    discussion: """
      Without -o the photo is written to standard output, unless that is a terminal. A photo that \
      is not on this device is first downloaded from the broker. “contactsctl edit ID --photo \
      FILE” sets a photo. A name must be complete; on a terminal, a part of it is confirmed first.
      """)

  @Argument(
    help: ArgumentHelp(
      "The contact's name, its id, or the beginning of its id.", valueName: "id|name"),
    completion: CompletionSource.contacts)
  var words: [String]
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    guard output != nil || isatty(STDOUT_FILENO) == 0 else {
      throw .usage("Cannot print a photo on a terminal. Name a file with -o.")
    }
    let id = try await ContactFinder(session: session)
      .find(words.joined(separator: " "), part: .confirmed).id
    let reply = try await session.agent.get(.photo(ofContact: id))
    if let output, output != "-" {
      let file = try OutputFile(path: output)
      do {
        try file.write(reply.bytes)
        try file.finish()
      } catch {
        file.discard()
        throw error
      }
    } else {
      session.printer.content(reply.bytes)
    }
    return .done
  }
}
