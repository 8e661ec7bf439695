import AgentDaemon

@main struct AgentMain {
  static func main() async {
    await AgentProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
