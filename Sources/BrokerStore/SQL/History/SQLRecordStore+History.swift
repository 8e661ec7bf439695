import BrokerCore
import Records
import SQLConnections

extension SQLRecordStore {
  package func history(
    _ id: RecordID, below: Revision?, of identity: SessionIdentity
  ) throws -> HistoryPage {
    try readingHistory(of: id.zone, as: identity, orElse: HistoryPage(states: [], isWhole: true)) {
      try $0.history(of: id.name, in: $1, below: below)
    }
  }

  package func trash(
    _ zone: ZoneID, below: Revision?, of identity: SessionIdentity
  ) throws -> TrashPage {
    try readingHistory(of: zone, as: identity, orElse: TrashPage(items: [], next: nil)) {
      try $0.trash(of: $1, below: below)
    }
  }

  /// Runs `body` for a zone; returns `empty` if the account cannot read the zone.
  private func readingHistory<Page>(
    of id: ZoneID, as identity: SessionIdentity, orElse empty: Page,
    _ body: (RecordHistoryTable, StoredZone) throws -> Page
  ) throws -> Page {
    try reading { db -> Page in
      let zone = try ZoneTable(db: db, memory: nil).zone(
        id.resolved(for: identity.account), container: identity.container)
      guard let zone, !zone.isDeleted,
        try ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading
      else { return empty }
      let records = RecordTable(db: db, origins: origins, memory: nil, damages: damages)
      return try body(RecordHistoryTable(records: records), zone)
    }
  }
}
