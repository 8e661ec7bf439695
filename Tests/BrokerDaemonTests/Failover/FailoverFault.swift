import PostgreSQLConnections
import PostgreSQLStores
import PredicateWorld
import Processes
import SQLConnections

/// What goes wrong in a step of a run.
enum FailoverFault: Hashable {
  /// Brokers have numbers.
  case brokerKill(Int, downMilliseconds: Int)
  case brokerPause(Int, milliseconds: Int)
  /// The next connection of a broker to the primary is cut, and others are refused for a time.
  case cut(Int, CuttingProxy.Cut, refusalMilliseconds: Int)
  /// The server ends the connections of all brokers.
  case termination
  /// The standby gets nothing, and waits for it are cancelled or ended with their connections.
  case cancelledWaits(Int, endsConnections: Bool)
  case primaryRestart
  case primaryKill
  case standbyRestart
  /// The primary is killed and the standby takes over, after a time in which the standby got nothing and waits for it
  /// were cancelled.
  case promotion(blockedMilliseconds: Int, cancelledWaits: Int)
  /// An owner removes a participant from a zone.
  case removal
  /// A broker is stopped and starts again, as in an upgrade.
  case replacement(Int)
  /// A later version adds columns to tables.
  case migration

  /// The kind of fault, for figures.
  var name: String {
    switch self {
    case .brokerKill: "kill of a broker"
    case .brokerPause: "pause of a broker"
    case .cut: "cut connection"
    case .termination: "end of all connections"
    case .cancelledWaits: "cancelled waits for the standby"
    case .primaryRestart: "restart of the primary"
    case .primaryKill: "kill of the primary"
    case .standbyRestart: "restart of the standby"
    case .promotion: "promotion"
    case .removal: "removal of a participant"
    case .replacement: "new start of a broker"
    case .migration: "migration"
    }
  }

  /// Whether it concerns only a broker, so that others go on.
  var isOfOneBroker: Bool {
    switch self {
    case .brokerKill, .brokerPause, .cut, .removal, .replacement: true
    case .termination, .cancelledWaits, .primaryRestart, .primaryKill, .standbyRestart, .promotion,
      .migration:
      false
    }
  }

  /// Chooses a fault.
  init(brokers: Int, using generator: inout SeededGenerator) {
    let broker = generator.below(brokers)
    switch generator.below(100) {
    case 0..<18: self = .brokerKill(broker, downMilliseconds: generator.below(1500))
    case 18..<30: self = .brokerPause(broker, milliseconds: 100 + generator.below(3000))
    case 30..<48: self = Self.cut(broker, using: &generator)
    case 48..<52: self = .termination
    case 52..<60:
      self = .cancelledWaits(
        1 + generator.below(4), endsConnections: generator.percent(30))
    case 60..<65: self = .primaryRestart
    case 65..<71: self = .primaryKill
    case 71..<75: self = .standbyRestart
    case 75..<86:
      self = .promotion(
        blockedMilliseconds: generator.percent(50) ? 0 : generator.below(600),
        cancelledWaits: generator.below(4))
    default: self = .removal
    }
  }

  private static func cut(_ broker: Int, using generator: inout SeededGenerator) -> Self {
    let refusal = generator.percent(50) ? generator.below(500) : 0
    let cut: CuttingProxy.Cut =
      generator.percent(50)
      ? .message(generator.below(60), generator.one(of: CuttingProxy.Place.allCases))
      : .commit(generator.below(3), generator.one(of: CuttingProxy.CommitPlace.allCases))
    return .cut(broker, cut, refusalMilliseconds: refusal)
  }
}

extension ServerPair {
  /// Makes a fault of the servers happen. Returns when they serve again.
  func suffer(_ fault: FailoverFault, database: String) async throws {
    switch fault {
    case .brokerKill, .brokerPause, .cut, .removal, .replacement: break
    case .migration: try await migrate(database)
    case .termination: try primary.endConnections(to: database)
    case .cancelledWaits(let count, let endsConnections):
      try await endWaits(count, endsConnections: endsConnections, within: .seconds(1))
      blockReplication(false)
    case .primaryRestart:
      try primary.stop()
      try await primary.start()
    case .primaryKill:
      try await primary.kill()
      try await primary.start()
    case .standbyRestart:
      try standby.stop()
      try await standby.start()
    case .promotion(let milliseconds, let waits):
      if milliseconds > 0 {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        try await endWaits(waits, endsConnections: false, within: .milliseconds(milliseconds))
        try await Task.sleep(until: end, clock: .continuous)
      }
      try await promote()
      try rejoin()
    }
    try await waitForStandby()
  }

  /// Keeps the standby from getting changes for a time, and ends waits for it.
  private func endWaits(
    _ count: Int, endsConnections: Bool, within limit: Duration
  ) async throws {
    blockReplication(true)
    let (primary, end) = (primary, ContinuousClock.now + limit)
    try await onThread {
      try primary.endStandbyWaits(count, endsConnections: endsConnections) { .now >= end }
    }
  }

  /// Does what the next version's migration may do while brokers of this one serve. It takes the turn to write first: if
  /// it locked tables that writers want next, and waited for those that writers have, the server would end it. Readers can
  /// be in its way too, so it is repeated.
  private func migrate(_ database: String) async throws {
    let address = primary.address(of: database)
    var reason = ""
    try await Patience.wait(until: "the migration: \(reason)", within: .seconds(30)) {
      do {
        try await onThread { try PostgreSQLConnection(address).run(Self.migration) }
        return true
      } catch {
        reason = "\(error)"
        return false
      }
    }
  }

  private static let migration = """
    DO $$ DECLARE name text; BEGIN
      PERFORM 1 FROM contacts_broker.commit_mark WHERE id = 1 FOR UPDATE;
      FOREACH name IN ARRAY ARRAY['commit_log', 'record', 'zone'] LOOP
        EXECUTE format('ALTER TABLE contacts_broker.%I ADD added_later bigint DEFAULT 1', name);
      END LOOP;
      UPDATE contacts_broker.schema_version SET version = version + 1;
    END $$
    """
}
