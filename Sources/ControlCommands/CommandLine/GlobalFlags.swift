// The flags of all subcommands. `ArgumentParser` reads them after the subcommand only; GlobalFlagPlacement
// allows them before it too.

import ArgumentParser

/// The flags of all subcommands.
struct GlobalFlags: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Connect to contactsd at this socket.", valueName: "path"))
  var agent: String?

  @Option(
    help: ArgumentHelp(
      "Connect to the contactsd that was started with this device name.", valueName: "name"))
  var device: String?

  @Flag(help: "Print JSON. Commands that keep printing, such as watch, print one object per line.")
  var json = false

  @Flag(
    help: """
      Print tab-separated values without a header. This is the default if the output is not \
      a terminal.
      """)
  var plain = false

  @Flag(help: "Do not use colors.")
  var noColor = false

  @Flag(help: "Never ask questions or open an editor.")
  var noInput = false

  @Flag(name: [.customShort("q"), .long], help: "Print only results and errors.")
  var quiet = false

  func validate() throws {
    if json && plain { throw ValidationError("Use either --json or --plain, not both.") }
    if agent != nil && device != nil {
      throw ValidationError("Use either --agent or --device, not both.")
    }
  }
}
