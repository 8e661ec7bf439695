import ControlCommands

@main struct ControlMain {
  static func main() async {
    await ControlProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
