// `contacts-broker connect`, which ssh starts on the server for a device on another machine. It copies bytes
// between its standard streams and the broker's socket. The broker sees a local process of the user who signed
// in over ssh, so the account needs no other proof.

import ArgumentParser
import DaemonKit
import Glibc
import Records

struct ConnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect standard input and output to the broker, for devices that use ssh.",
    discussion: """
      A device on another machine runs this command over ssh if its broker setting is ssh://USER@HOST. To \
      limit an ssh key to it, write restrict,command="contacts-broker connect" before the key in \
      authorized_keys.
      """)

  @Option(help: ArgumentHelp("The broker's Unix socket.", valueName: "path"))
  var socket: String?

  func run() {
    // Writing to a peer that is gone must fail, not end the process.
    signal(SIGPIPE, SIG_IGN)
    do throws(DaemonError) {
      let relay = try StreamRelay(socketPath: path)
      relay.run()
    } catch {
      DaemonExit.end("contacts-broker", because: error)
    }
  }

  /// The path of the socket: the given one, that of the system's broker, or that of a broker of this user.
  private var path: String {
    if let socket { return socket }
    if access(SystemBroker.socketPath, F_OK) == 0 { return SystemBroker.socketPath }
    return StandardPaths(program: "contacts-broker").userSocket("broker.sock")
  }
}
