// The three programs in one file, as they are installed. They share the libraries below them, which are most of their
// size: one file takes a third of the space of three, and the machine's memory holds the code once. The name
// under which the file is started decides which program it is.

import AgentDaemon
import BrokerDaemon
import CNoICUData
import ControlCommands
import Glibc

@main
enum Contacts {
  static func main() async {
    let name = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch name {
    case "contacts-broker": await BrokerProgram.run()
    case "contactsd": await AgentProgram.run(arguments: arguments)
    case "contactsctl":
      SharedHeap.use()
      await ControlProgram.run(arguments: arguments)
    default:
      let sentence = "Start this program as contacts-broker, contactsd or contactsctl.\n"
      _ = write(STDERR_FILENO, sentence, sentence.utf8.count)
      exit(64)
    }
  }
}
