import Foundation
import Synchronization

/// What the brokers of a test run keep their records in. The variable `STORE` chooses it, so that the tests of the real
/// programs run on each kind.
package enum BrokerStoreKind: String, Sendable {
  case sqlite
  case postgreSQL = "postgresql"

  /// The kind of this run: SQLite, unless `STORE` says otherwise.
  package static let ofThisRun: Self = {
    guard let name = ProcessInfo.processInfo.environment["STORE"], !name.isEmpty else {
      return .sqlite
    }
    guard let kind = Self(rawValue: name) else {
      preconditionFailure("STORE is “\(name)”; it can be sqlite or postgresql.")
    }
    return kind
  }()

  /// A server for all brokers of the run. It survives their ends, but no power cut.
  private static let server = Result {
    try PostgreSQLServer(
      settings: ["fsync = off", "full_page_writes = off", "max_connections = 600"])
  }

  /// The databases of brokers, by state directory: a broker that is started again, and an operator's command, use the
  /// one that the directory had.
  private static let databases = Mutex<[String: String]>([:])

  /// The settings of a broker with a state directory, as environment variables.
  package func settings(ofState state: String) throws -> [String: String] {
    guard self == .postgreSQL else { return [:] }
    let address = try Self.databases.withLock { databases in
      let address = try databases[state] ?? Self.server.get().makeDatabase()
      databases[state] = address
      return address
    }
    return ["CONTACTS_BROKER_STORE": address]
  }

  /// The settings of an operator's command with these arguments.
  func settings(ofCommand arguments: [String]) throws -> [String: String] {
    guard self == .postgreSQL, let flag = arguments.firstIndex(of: "--state"),
      flag + 1 < arguments.count
    else { return [:] }
    return try settings(ofState: arguments[flag + 1])
  }
}
