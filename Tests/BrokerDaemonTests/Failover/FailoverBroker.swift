import Glibc
import Processes

/// One of several brokers on a database. It is started again after its end, as systemd would.
final class FailoverBroker {
  /// The status of a broker that systemd starts again.
  private static let temporaryFailure: Int32 = 75
  /// The time that a stopped broker gets to end. systemd gives it 90 seconds.
  private static let stopLimit = Duration.seconds(20)

  let number: Int
  let directory: TemporaryDirectory
  /// The ways to the servers, in their order.
  let proxies: [CuttingProxy]
  private let clock: String?
  private let address: String
  private var program: RunningProgram?
  private var startTime = ContinuousClock.now
  private(set) var isPaused = false
  /// How often it was killed, how often it ended by itself, and how often it was stopped for a new start.
  private(set) var endCounts = (killed: 0, own: 0, replaced: 0)
  /// When it was stopped, until it has ended.
  private var stopTime: ContinuousClock.Instant?
  /// What it said before it was started the last time.
  private var formerLog = ""

  /// Prepares a broker on a database.
  init(
    _ number: Int, database: String, servers: [PostgreSQLServer], conditions: FailoverConditions
  ) throws {
    self.number = number
    directory = try TemporaryDirectory()
    proxies = try servers.map { try CuttingProxy(to: $0) }
    for proxy in proxies { proxy.withholdNotifications(conditions.notifications) }
    address = CuttingProxy.address(of: database, through: proxies)
    clock = conditions.clocks[number]
  }

  var socketPath: String { directory.file("b.sock") }

  /// Whether its process runs and is not paused.
  var isServing: Bool { program?.isRunning == true && !isPaused }

  /// Whether its process has been stopped or has ended.
  var isEnding: Bool { program?.isRunning != true || stopTime != nil }

  /// All that it has written to its standard error.
  var log: String { formerLog + (program?.standardError ?? "") }

  /// Starts it if it is time. Returns what is wrong if it ended in a way that systemd would not repair, or does not end.
  func supervise(at now: ContinuousClock.Instant) throws -> String? {
    guard let program else {
      if now >= startTime { try start() }
      return nil
    }
    guard !program.isRunning else { return endIfStuck(at: now) }
    let status = program.waitUntilEnd()
    // A broker that is stopped before it handles signals ends by the signal, which is clean to systemd too.
    let isReplaced = stopTime != nil && [0, -SIGTERM].contains(status)
    end(until: isReplaced ? now : now + .milliseconds(100))
    if isReplaced { endCounts.replaced += 1 } else { endCounts.own += 1 }
    return isReplaced || status == Self.temporaryFailure
      ? nil : "Broker \(number) ended with \(status)."
  }

  private func endIfStuck(at now: ContinuousClock.Instant) -> String? {
    guard let stopTime, now > stopTime + Self.stopLimit else { return nil }
    kill(for: .zero)
    return "Broker \(number) did not end within \(Self.stopLimit) after it was stopped."
  }

  private func start() throws {
    let path = RunningProgram.path(of: "contacts-broker")
    let command =
      try clock.map { try FalseClock.script(running: path, offset: $0, in: directory) } ?? path
    program = try RunningProgram(
      command, RunningBroker.arguments(in: directory),
      environment: ["CONTACTS_BROKER_STORE": address])
  }

  /// Stops it as systemd does (SIGTERM). It starts again.
  func stop() {
    guard let program, program.isRunning else { return }
    program.send(SIGTERM)
    stopTime = .now
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
    stopTime = nil
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
