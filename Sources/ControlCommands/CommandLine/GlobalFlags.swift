// The flags that every verb takes. `ArgumentParser` reads them behind the verb only; see
// GlobalFlagPlacement for how they may stand before it too.

import ArgumentParser

/// Flags of all verbs.
struct GlobalFlags: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var agent: String?

  @Option(help: ArgumentHelp("Use the agent of this device.", valueName: "name"))
  var device: String?

  @Flag(help: "Print a JSON object; streams print one per line.")
  var json = false

  @Flag(
    help: """
      Print tab-separated values without a header; the default if the output is not a terminal.
      """)
  var plain = false

  @Flag(help: "Do not use colors.")
  var noColor = false

  @Flag(help: "Never prompt.")
  var noInput = false

  @Flag(name: [.customShort("q"), .long], help: "Print only results and errors.")
  var quiet = false

  func validate() throws {
    if json && plain { throw ValidationError("--json and --plain exclude each other.") }
    if agent != nil && device != nil {
      throw ValidationError("--agent and --device exclude each other.")
    }
  }
}
