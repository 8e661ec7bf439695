import BrokerCore
import Records
import SQLConnections

extension SQLRecordStore {
  package func history(
    _ id: RecordID, below: Revision?, of identity: SessionIdentity
  ) throws -> HistoryPage {
    try readingHistory(of: id.zone, as: identity, orElse: HistoryPage(states: [], isWhole: true)) {
      try $0.history(of: id.name, in: $1, below: below, joined: $2)
    }
  }

  package func trash(
    _ zone: ZoneID, below: Revision?, of identity: SessionIdentity
  ) throws -> TrashPage {
    try readingHistory(of: zone, as: identity, orElse: TrashPage(items: [], next: nil)) {
      try $0.trash(of: $1, below: below, joined: $2)
    }
  }

  /// Runs `body` for a zone and its revision when the account joined; returns `empty` if the account cannot read the zone.
  private func readingHistory<Page>(
    of id: ZoneID, as identity: SessionIdentity, orElse empty: Page,
    _ body: (RecordHistoryTable, StoredZone, Revision) throws -> Page
  ) throws -> Page {
    try reading { db -> Page in
      let zone = try ZoneTable(db: db, memory: nil).zone(
        id.resolved(for: identity.account), container: identity.container)
      let participants = ParticipantTable(db: db, memory: nil)
      guard let zone, !zone.isDeleted,
        try participants.access(of: identity, in: zone).allowsReading
      else { return empty }
      let records = RecordTable(db: db, origins: origins, damages: damages)
      let joined = try participants.joiningRevision(of: identity, in: zone)
      return try body(RecordHistoryTable(records: records), zone, joined)
    }
  }
}
