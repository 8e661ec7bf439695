import BrokerCore
import Records
import SQLConnections

extension RecordTable {
  /// A part of a zone's feed.
  package struct Advance {
    /// The zone's row.
    let zone: StoreKey
    /// The revision after which it begins.
    let from: Revision

    package init(zone: StoreKey, from: Revision) {
      self.zone = zone
      self.from = from
    }
  }

  /// The bytes of the fields of a record that is sent live with others of its zone.
  private static let liveFieldsMaximum = 8 << 10

  /// The newest states of the records of several zones, each above a revision and by ascending revision, with tombstones.
  /// Asks the database once. Has `nil` for a zone with a state that is large or cannot be sent to every reader: they read
  /// pages, which leave it out. The caller bounds the number of states.
  package func changes(of advances: [Advance]) throws -> [[Change]?] {
    let hiding = try ReferenceTable(db: db).cascadingZones()
    let found = try db.rowsOfEach(
      Self.liveSelection, advances.map { [$0.zone, $0.from.value] })
    return try zip(advances, found).map { advance, rows in
      hiding.contains(advance.zone) ? nil : try changes(in: rows, of: advance.zone)
    }
  }

  private func changes(in rows: [SQLRow], of zone: StoreKey) throws -> [Change]? {
    var changes: [Change] = []
    for row in rows {
      guard row.number(StoredState.columnCount) <= Self.liveFieldsMaximum,
        case .intact(let change) = try reader.state(of: row, zone: zone)
      else { return nil }
      changes.append(change)
    }
    return changes
  }

  private static let liveSelection = """
    SELECT \(StoredState.columns(of: "record", fieldsMaximum: liveFieldsMaximum)), length(fields)
    FROM record WHERE zone = ? AND revision > ? ORDER BY revision
    """
}
