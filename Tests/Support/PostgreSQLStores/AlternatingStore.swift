import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Records
import SQLConnections
import Synchronization

/// The stores of two brokers on one database, which are used in turn. Each has to learn what the other has committed: what
/// holds for one store must hold for these.
package final class AlternatingStore: SQLRecordStore {
  private let stores: [PostgreSQLRecordStore]
  private let turn = Atomic(0)

  /// - Parameter open: Opens a store on the same database at each call.
  init(_ open: () throws -> PostgreSQLRecordStore) rethrows {
    stores = [try open(), try open()]
  }

  private var next: PostgreSQLRecordStore {
    stores[turn.add(1, ordering: .relaxed).newValue % stores.count]
  }

  package var context: StoreContext { stores[0].context }

  package func transact<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    try next.transact(body)
  }

  package func reading<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try next.reading(body)
  }

  package var needsCheckpoint: Bool { false }

  package func checkpoint() {}
  package func emptyLog() {}
}
