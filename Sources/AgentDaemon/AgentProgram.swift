// The main program of contactsd: settings, lock, database, socket, then the services in the order of their
// dependencies, stopped in reverse. An error before it serves is reported as one sentence on stderr and an
// exit code.

import AgentStore
import ArgumentParser
import BrokerLinks
import Contacts
import DaemonKit
import DeviceDriver
import DeviceStore
import Glibc
import Logging
import NIOPosix
import Records
import SQLiteFile
import ServiceLifecycle
import UnixSignals

/// The program.
package enum AgentProgram {
  /// Runs the agent until it is asked to stop, and ends the process.
  package static func run(arguments: [String]) async -> Never {
    let flags = parse(arguments)
    do {
      let settings = try AgentSettings(flags)
      guard !flags.checkConfig else { exit(DaemonExit.done.rawValue) }
      try await serve(settings)
      exit(DaemonExit.done.rawValue)
    } catch {
      DaemonExit.end(
        AgentSettings.program, because: (error as? RecordsError)?.forUsers ?? error)
    }
  }

  private static func parse(_ arguments: [String]) -> AgentFlags {
    do {
      return try AgentFlags.parse(arguments)
    } catch  where AgentFlags.exitCode(for: error) == .success {
      AgentFlags.exit(withError: error)
    } catch {
      let error = DaemonError(
        .usage, AgentFlags.message(for: error), hint: "See: contactsd --help")
      DaemonExit.end(AgentSettings.program, because: error)
    }
  }

  private static func serve(_ settings: AgentSettings) async throws {
    LogDestination.choose(program: AgentSettings.program)
    LargeBlocks.keep()
    SQLiteMemory.omitStatistics()
    // Settings cannot be reloaded, and the signal must not end the process either.
    signal(SIGHUP, SIG_IGN)
    let logger = Logger(label: AgentSettings.program)
    let directory = try StateDirectory(path: settings.stateDirectory)
    let database = try DeviceDatabase(path: directory.file("contacts.sqlite"))
    let passed = try PassedSockets()
    let socket = try ListeningSocket.open(path: settings.socket, passed: passed)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let deviceSettings = DeviceSettings(
      container: "contacts", accountName: settings.account, deviceName: settings.device,
      readsPublicRecords: true,
      invocation: UInt64.random(in: 1 ... .max))
    let replica = try Replica(
      database: database, settings: deviceSettings,
      bundled: try BundledContacts.all(), language: settings.language,
      generator: SystemRandomNumberGenerator(), now: SystemClock.now())
    let current = CurrentBroker(settings: settings, reader: replica.reader)
    let lastShownNotification = replica.lastShownNotification
    let files = try DeviceFiles(directory: directory.file("assets"), logger: logger)
    let supervisor = Supervisor()
    let driver = ReplicaDriver(
      replica: replica, files: files,
      environment: DriverEnvironment(
        loop: group.next(),
        connector: EndpointConnector(
          loop: group.next(), report: ShellTextLog(logger).report
        ) { current.address }, logger: logger,
        reserve: DiskReserve(path: directory.file("reserve")),
        hooks: .agent(supervisor: supervisor)))
    logger.info(
      "Serving",
      metadata: ["socket": "\(settings.socket)", "version": "\(ProgramVersion.text)"])
    let services = ServiceGroup(
      configuration: configuration(
        services: [
          AgentService(driver: driver, endpoints: settings.broker),
          APIServer(
            api: AgentRoutes(
              driver: driver, settings: deviceSettings, logger: logger,
              sockets: KeptSockets(passed, supervisor: supervisor),
              given: settings, current: current),
            socket: socket.descriptor, group: MultiThreadedEventLoopGroup(numberOfThreads: 2),
            logger: logger, supervisor: supervisor),
          AuthorNameService(driver: driver, logger: logger),
          HookService(
            driver: driver, commands: CommandRunner(), socketPath: settings.socket,
            logger: logger),
          AlertService(
            reader: driver.reader, hub: driver.notifications,
            desktop: DesktopNotifier(applicationName: "Contacts"), logger: logger,
            start: lastShownNotification),
          Watchdog(supervisor: supervisor) { await driver.isAlive() },
        ], logger: logger))
    try await services.run()
    socket.removeFile()
    try await driver.close()
    await files.stop()
    try database.close()
  }

  private static func configuration(
    services: [any Service], logger: Logger
  ) -> ServiceGroupConfiguration {
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A service manager waits longer; a user who stops the agent by hand expects it to end soon.
    configuration.maximumGracefulShutdownDuration = .seconds(4)
    return configuration
  }
}
