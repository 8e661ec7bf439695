// The flags that every verb takes. `ArgumentParser` reads them behind the verb only; see
// GlobalFlagPlacement for how they may stand before it too.

import ArgumentParser

/// Flags of all verbs.
struct GlobalFlags: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var agent: String?

  @Option(help: ArgumentHelp("The agent of this device of yours.", valueName: "name"))
  var device: String?

  @Flag(help: "One JSON object, or one a line for streams.")
  var json = false

  @Flag(help: "Tab-separated without header; what is used when the output is not a terminal.")
  var plain = false

  @Flag(help: "No colour.")
  var noColor = false

  @Flag(help: "Never ask anything.")
  var noInput = false

  @Flag(name: [.customShort("q"), .long], help: "Say nothing but results and errors.")
  var quiet = false

  func validate() throws {
    if json && plain { throw ValidationError("--json and --plain exclude each other.") }
    if agent != nil && device != nil {
      throw ValidationError("--agent and --device exclude each other.")
    }
  }
}
