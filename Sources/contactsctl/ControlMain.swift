// contactsctl: the process around ControlProgram, and nothing else, so that all of the program can
// be tested.

import ControlCommands

@main struct ControlMain {
  static func main() async {
    SharedHeap.use()
    await ControlProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
