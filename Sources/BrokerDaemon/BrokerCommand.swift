// The command line of `contacts-broker`. A broker starts in this order: settings, state directory,
// database, sockets. A failure prints one error and changes nothing.

import ArgumentParser
import AssetFiles
import BrokerCore
import BrokerServer
import BrokerStore
import DaemonKit
import Glibc
import Logging
import Records
import SQLiteFile
import ServiceLifecycle
import UnixSignals

/// The entry point of the program.
package enum BrokerProgram {
  /// Runs the subcommand on the command line. Returns when the broker has stopped.
  package static func run() async {
    // Files of all subcommands are readable by the broker's user alone: a backup has all records and the broker's key.
    umask(0o077)
    await BrokerCommand.main()
  }
}

/// The command `contacts-broker`. The default subcommand is `serve`.
struct BrokerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts-broker",
    abstract: "Store records and notify devices about changes.",
    version: ProgramVersion.line(of: "contacts-broker"),
    subcommands: [
      ServeCommand.self, BackupCommand.self, RestoreCommand.self, CheckCommand.self,
      RepairCommand.self, StatsCommand.self, AccountCommand.self, DeviceCommand.self,
      ContainerCommand.self, ClockCommand.self, InviteCommand.self, CopyCommand.self,
      ConnectCommand.self,
    ], defaultSubcommand: ServeCommand.self)
}

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve devices until stopped (the default).")

  @Option(help: "Read settings from this file.")
  var config: String?

  @Option(help: "The directory for the database and the files.")
  var state: String?

  @Option(help: "The Unix socket to listen on, unless systemd passes one.")
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "Listen for devices on other machines, over TLS.", valueName: "address:port"))
  var listen: String?

  @Option(help: "Serve Prometheus metrics on this Unix socket.")
  var metrics: String?

  @Flag(help: "Check the settings and exit.")
  var checkConfig = false

  func run() async throws {
    do {
      let settings = try readSettings()
      if checkConfig { return }
      try await serve(settings)
    } catch {
      DaemonExit.end("contacts-broker", because: error)
    }
  }

  private func readSettings() throws(DaemonError) -> BrokerSettings {
    var flags: [String: String] = [:]
    flags["state"] = state
    flags["socket"] = socket
    flags["listen"] = listen
    flags["metrics"] = metrics
    return try BrokerSettings(flags: flags, file: config)
  }

  private func serve(_ settings: BrokerSettings) async throws {
    LogDestination.choose(program: "contacts-broker")
    OpenFiles.raiseLimit()
    LargeBlocks.keep()
    SQLiteMemory.omitStatistics()
    let logger = Logger(label: "broker")
    let directory = try StateDirectory(path: settings.location.statePath)
    let store = try settings.location.open(publicRights: settings.publicRights, logger: logger)
    let files = try AssetFiles(
      directory: directory.file("assets"), reserveBytes: BrokerLimits.diskReserveBytes)
    let passed = try PassedSockets()
    let socket = try passed.local ?? ListeningSocket.bind(path: settings.socketPath)
    directory.noteSocket(socket.address ?? "")
    let metrics = try settings.metricsPath.map { path throws(DaemonError) in
      try ListeningSocket.bind(path: path, mode: 0o660)
    }
    let listener = try RemoteListener(settings, passed: passed.remote, in: directory)
    let server = Server(
      store: store, files: files, completeFiles: settings.location.filesInDatabase,
      access: Server.Access(
        policy: settings.policy(isRemote: listener != nil), quotas: settings.quotas,
        remote: listener?.access),
      indexes: settings.indexes, logger: logger)
    let service = BrokerService(
      server: server,
      sockets: BrokerService.Sockets(local: socket, metrics: metrics, remote: listener),
      logger: logger,
      readPolicy: { try readSettings().policy(isRemote: listener != nil) })
    let watchdog = Watchdog { await server.driver.isAlive() }
    let group = ServiceGroup(
      services: [service, watchdog], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    try await group.run()
    withExtendedLifetime(directory) {}
  }
}
