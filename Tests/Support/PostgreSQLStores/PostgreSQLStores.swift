import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Foundation
import PostgreSQLConnections
import Processes
import SQLConnections
import Synchronization

/// Stores on PostgreSQL for tests, each on a database of its own, on one server. A database is dropped when its store is
/// gone.
package enum PostgreSQLStores {
  /// A database and the store that uses it.
  private struct Used {
    let name: String
    weak var store: (any SQLRecordStore)?
  }

  private static let used = Mutex<[Used]>([])
  private static let count = Mutex(0)

  /// A server that loses everything in a power cut, which these tests have not.
  private static let server = Result {
    try PostgreSQLServer(
      settings: [
        "fsync = off", "full_page_writes = off", "max_connections = 400", "shared_buffers = 128MB",
      ])
  }

  /// A database with the broker's tables, of which the others are copies.
  private static let template = Result {
    let server = try Self.server.get()
    let name = "template"
    try PostgreSQLConnection(server.address(of: "postgres")).run("CREATE DATABASE \(name)")
    _ = try PostgreSQLRecordStore(address: server.address(of: name))
    return name
  }

  /// Makes an empty store, which two brokers use in turn.
  package static func make(
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds()
  ) throws -> AlternatingStore {
    try make { address in
      try AlternatingStore {
        try PostgreSQLRecordStore(address: address, publicRights: publicRights, cascades: cascades)
      }
    }
  }

  /// Makes an empty database and a store on it.
  package static func make<Store: SQLRecordStore>(
    _ makeStore: (_ address: String) throws -> Store
  ) throws -> Store {
    let (server, template) = (try Self.server.get(), try Self.template.get())
    let name = "store\(nextNumber())"
    let administrator = try PostgreSQLConnection(server.address(of: "postgres"))
    try dropUnused(administrator)
    try administrator.run("CREATE DATABASE \(name) TEMPLATE \(template)")
    let store = try makeStore(server.address(of: name))
    used.withLock { $0.append(Used(name: name, store: store)) }
    return store
  }

  /// Makes an empty database, which remains until the tests end. Returns its address.
  package static func makeEmpty() throws -> String {
    let server = try Self.server.get()
    let name = "empty\(nextNumber())"
    try PostgreSQLConnection(server.address(of: "postgres")).run("CREATE DATABASE \(name)")
    return server.address(of: name)
  }

  private static func nextNumber() -> Int {
    count.withLock { last in
      last += 1
      return last
    }
  }

  private static func dropUnused(_ administrator: PostgreSQLConnection) throws {
    let unused = used.withLock { all -> [Used] in
      let unused = all.filter { $0.store == nil }
      all.removeAll { $0.store == nil }
      return unused
    }
    for database in unused { try administrator.run("DROP DATABASE \(database.name) WITH (FORCE)") }
  }
}
