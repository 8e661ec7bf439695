import BrokerCore
import Records
import SQLConnections

extension SQLRecordStore {
  package func page(_ request: PageRequest) throws -> FeedPage {
    try reading { db in
      try RecordTable(
        db: db, origins: origins, memory: nil, damages: damages,
        hidden: HiddenRecords(db: db, lookupsMaximum: BrokerLimits.hiddenLookupsPerRead)
      ).page(request)
    }
  }

  package func fetch(_ ids: [RecordID], of identity: SessionIdentity) throws -> [Change?] {
    try reading { db -> [Change?] in
      let zones = ZoneTable(db: db, memory: nil)
      let records = RecordTable(
        db: db, origins: origins, memory: nil, damages: damages,
        hidden: HiddenRecords(db: db, lookupsMaximum: BrokerLimits.hiddenLookupsPerRead))
      let participants = ParticipantTable(db: db, memory: nil)
      var byteCount = 0
      return try ids.map { id in
        let zoneID = id.zone.resolved(for: identity.account)
        guard let zone = try zones.zone(zoneID, container: identity.container),
          let key = zone.key, !zone.isDeleted,
          try zoneID.isPublic || participants.access(of: identity, in: zone).allowsReading
        else { return nil }
        let record = try records.record(id.name, zone: key)
        guard
          !zoneID.isPublic || record.map({ publicRights.allowsReading($0, by: identity) }) == true
        else { return nil }
        byteCount += record?.record.bytes.count ?? 0
        guard byteCount <= Limits.frameBytes else {
          throw RecordsError.limit(
            "Bytes of the requested records", limit: Limits.frameBytes, actual: byteCount)
        }
        return record
      }
    }
  }
}
