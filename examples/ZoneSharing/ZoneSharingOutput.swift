import BrokerClient

/// The command line: `zone-sharing SOCKET ACCOUNT share TITLE` for one user, `zone-sharing SOCKET ACCOUNT accept LINK`
/// for others. Each user's device identity is stored in a file in the current directory.
@main
struct ZoneSharingOutput {
  static let usage = """
    usage: zone-sharing SOCKET ACCOUNT share TITLE | preview LINK | accept LINK | add DISH
           zone-sharing SOCKET ACCOUNT list | make-read-only | stop | leave
    """

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3 else { return print(usage) }
    let path = "zone-sharing-\(words[1]).json"
    let container = Container(
      name: "zone-sharing", broker: .unixSocket(words[0]), account: words[1],
      device: try DeviceIdentity.kept(at: path, name: "terminal"),
      deviceChanged: { try? $0.keep(at: path) })
    do {
      try await run(words[2], words.dropFirst(3).first, ZoneSharing(container: container))
    } catch {
      print("zone-sharing: \(error)")
    }
  }

  static func run(_ command: String, _ word: String?, _ device: ZoneSharing) async throws {
    switch (command, word) {
    case ("share", let title?): print(try await device.share(title).text)
    case ("preview", let link?): print(try await device.preview(try ShareLink(link)))
    case ("accept", let link?): try await device.accept(try ShareLink(link))
    case ("add", let dish?): try await device.add(dish)
    case ("list", nil): for dish in try await device.dishes() { print(dish) }
    case ("make-read-only", nil): try await device.makeReadOnly()
    case ("stop", nil): try await device.stopSharing()
    case ("leave", nil): try await device.leave()
    default: print(usage)
    }
  }
}
