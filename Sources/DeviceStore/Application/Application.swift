import GRDB
import Records

/// An application on a replica: its rules, and the tables that it derives from records.
package struct Application {
  /// What the replica knows about the application's records.
  package let rules: ApplicationRules
  /// The application's tables. They belong to one replica.
  package let projections: [any Projection]

  /// An application. `projections` are called in their order.
  package init(rules: ApplicationRules, projections: [any Projection]) {
    self.rules = rules
    self.projections = projections
  }

  /// Runs a write transaction, and tells the projections when it has ended.
  func write<Result>(
    to database: DeviceDatabase, _ body: (Database) throws -> Result
  ) throws -> Result {
    defer { for projection in projections { projection.ended() } }
    return try database.write(body)
  }

  func title(of record: ProjectedRecord) -> String {
    for projection in projections {
      if let title = projection.title(of: record) { return title }
    }
    return rules.title(record.name, type: record.type, fields: record.seen)
  }

  func wants(
    _ asset: Asset, of record: ProjectedRecord, in transaction: DeviceTransaction
  ) throws -> Bool {
    try projections.contains { try $0.wants(asset, of: record, in: transaction) }
  }
}
