// Lists the states of a US address. They are part of the contact model, so this needs no agent.

import ArgumentParser
import Contacts

/// `states`: list the states of US addresses.
struct StatesCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "states", abstract: "List the US states with their postal abbreviations.",
    discussion: """
      Names and abbreviations are accepted in upper and lower case; contacts store the \
      abbreviation.
      """)

  @OptionGroup var global: GlobalFlags

  private struct View: Encodable, Sendable {
    struct State: Encodable, Sendable {
      let name: String
      let abbreviation: String
    }

    let schema = 1
    let states: [State]

    enum CodingKeys: CodingKey { case schema, states }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    if session.printer.style == .json {
      let states = USState.all.map {
        View.State(name: $0.name, abbreviation: $0.abbreviation)
      }
      session.printer.json(try JSONText.encoded(View(states: states)))
    } else {
      await session.printer.rows(USState.all.map { [$0.name, $0.abbreviation] })
    }
    return .done
  }
}
