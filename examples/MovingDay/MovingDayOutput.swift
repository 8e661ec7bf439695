import BrokerClient

/// The command line: `moving-day SOCKET watch CITY` for one device, `moving-day SOCKET move NAME CITY` for
/// the other. Each stores its device identity in a file in the current directory.
@main
struct MovingDayOutput {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3 else {
      print("usage: moving-day SOCKET watch CITY | moving-day SOCKET move NAME CITY")
      return
    }
    let path = "moving-day-\(words[1]).json"
    let container = Container(
      name: "moving-day", broker: .unixSocket(words[0]),
      device: try DeviceIdentity.kept(at: path, name: words[1]),
      deviceChanged: { try? $0.keep(at: path) })
    switch (words[1], words.count) {
    case ("watch", 3):
      try await MovingDay.subscribe(container, city: words[2])
      try await MovingDay.watch(container, count: .max) { print($0) }
    case ("move", 4): try await MovingDay.move(words[2], to: words[3], in: container)
    default: print("moving-day: unknown subcommand “\(words[1])”; expected watch or move")
    }
  }
}
