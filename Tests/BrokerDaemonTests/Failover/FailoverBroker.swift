import Glibc
import Processes

/// One of several brokers on a database. It is started again after its end, as systemd would.
final class FailoverBroker {
  /// The status of a broker that systemd starts again.
  private static let temporaryFailure: Int32 = 75

  let number: Int
  let directory: TemporaryDirectory
  /// The ways to the servers, in their order.
  let proxies: [CuttingProxy]
  private let path: String
  private let address: String
  private var program: RunningProgram?
  private var startTime = ContinuousClock.now
  private(set) var isPaused = false
  /// How often it was killed and how often it ended by itself.
  private(set) var endCounts = (killed: 0, own: 0)
  /// What it said before it was started the last time.
  private var formerLog = ""

  /// Prepares a broker on a database.
  /// - Parameter clock: How far its clock is off, for example "+7m"; `nil` for a right one.
  init(
    _ number: Int, database: String, servers: [PostgreSQLServer], clock: String?
  ) throws {
    self.number = number
    let directory = try TemporaryDirectory()
    self.directory = directory
    proxies = try servers.map { try CuttingProxy(to: $0) }
    address = CuttingProxy.address(of: database, through: proxies)
    path =
      try clock.map {
        try FalseClock.script(running: "contacts-broker", offset: $0, in: directory)
      } ?? "contacts-broker"
  }

  var socketPath: String { directory.file("b.sock") }

  /// Whether its process runs and is not paused.
  var isServing: Bool { program?.isRunning == true && !isPaused }

  /// All that it has written to its standard error.
  var log: String { formerLog + (program?.standardError ?? "") }

  /// Starts it if it is time. Returns what is wrong if it ended in a way that systemd would not repair.
  func supervise(at now: ContinuousClock.Instant) throws -> String? {
    guard let program else {
      if now >= startTime { try start() }
      return nil
    }
    guard !program.isRunning else { return nil }
    let status = program.waitUntilEnd()
    end(until: now + .milliseconds(100))
    endCounts.own += 1
    return status == Self.temporaryFailure ? nil : "Broker \(number) ended with \(status)."
  }

  private func start() throws {
    program = try RunningProgram(
      path, RunningBroker.arguments(in: directory), environment: ["CONTACTS_BROKER_STORE": address])
  }

  /// Kills it. It starts again after a time.
  func kill(for downtime: Duration) {
    guard let program, program.isRunning else { return }
    program.send(SIGKILL)
    _ = program.waitUntilEnd()
    end(until: .now + downtime)
    endCounts.killed += 1
  }

  private func end(until startTime: ContinuousClock.Instant) {
    formerLog = log + "--- broker \(number) ended ---\n"
    program = nil
    isPaused = false
    self.startTime = startTime
  }

  /// Stops its process (SIGSTOP).
  func pause() {
    program?.send(SIGSTOP)
    isPaused = true
  }

  /// Lets its process go on.
  func resume() {
    guard isPaused else { return }
    program?.send(SIGCONT)
    isPaused = false
  }
}
