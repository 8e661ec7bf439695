// contactsd: the process around AgentProgram, and nothing else, so that all of the program can be
// tested.

import AgentDaemon

@main struct AgentMain {
  static func main() async {
    await AgentProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
