// Measures a device: the first synchronization of an address book and the speed of answers. Each subcommand
// prints lines with a name and a value; scripts/bench compares them with a C program that writes the same
// rows.

import Foundation
import Measuring

/// The main program; see the usage below.
@main
enum DeviceBench {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("sync", 3):
        try await FirstSync(contacts: Int(arguments[1]) ?? 0, state: arguments[2]).measure()
      case ("query", 3):
        try LocalQueries(records: Int(arguments[1]) ?? 0, state: arguments[2]).measure()
      case ("read", 4):
        try ReadLatency(agent: arguments[1], state: arguments[2], name: arguments[3]).measure()
      case ("list", 5):
        try ListCommand(
          agent: arguments[1], control: arguments[2], state: arguments[3], name: arguments[4]
        ).measure()
      case ("import", 4):
        try ContactImport(
          cards: Int(arguments[1]) ?? 0, programs: arguments[2], folder: arguments[3]
        ).measure()
      case ("photos", 5):
        try PhotoSync(
          posts: Int(arguments[1]) ?? 0, programs: arguments[2], peers: arguments[3],
          folder: arguments[4]
        ).measure()
      case ("offline", 4):
        try OfflineEdits(
          edits: Int(arguments[1]) ?? 0, programs: arguments[2], folder: arguments[3]
        ).measure()
      default:
        throw BenchFailure(
          "usage: device-bench sync CONTACTS STATE | query RECORDS STATE "
            + "| read CONTACTSD STATE NAME | list CONTACTSD CONTACTSCTL STATE NAME "
            + "| photos POSTS PROGRAMS PEERS FOLDER | offline EDITS PROGRAMS FOLDER | import CARDS PROGRAMS FOLDER"
        )
      }
    } catch {
      BenchFailure.end("device-bench", because: error)
    }
  }
}
