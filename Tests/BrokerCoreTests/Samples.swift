// The account, device and records that the tests of this target speak of.

import BrokerCore
import Records

let ada = AccountID(0xA)
let bob = AccountID(0xB)
let identity = SessionIdentity(
  container: 1, account: ada, accountKey: 10, device: DeviceID(0xD), deviceKey: 20)
let now = Timestamp(microseconds: 1_800_000_000_000_000)

func number(_ value: Int64) -> RequestNumber { RequestNumber(value) }

func stamp(_ value: Int64 = 1) -> Stamp {
  Stamp(
    time: now,
    origin: Origin(account: ada, device: DeviceID(0xD), request: RequestNumber(value)))
}

func zone(
  owner: AccountID = ada, head: Int64 = 0, reaped: Int64 = 0, isDeleted: Bool = false
) -> StoredZone {
  StoredZone(
    key: 5, id: ZoneID(owner: owner, name: .standard), title: "", incarnation: Incarnation(7),
    head: Revision(head), reapedThrough: Revision(reaped), isDeleted: isDeleted)
}

func change(
  _ name: String, tag: Int64, kind: Change.Kind = .saved, fields: Fields = [:]
) -> Change {
  Change(
    name: RecordName(stored: name), tag: Revision(tag), kind: kind,
    type: RecordType(stored: "Contact"), created: stamp(), modified: stamp(),
    record: kind == .saved ? EncodedRecord(fields) : .empty)
}

func save(
  _ name: String, tag: Int64?, policy: SavePolicy = .ifUnchanged, type: String = "Contact",
  fields: Fields = [:], removed: [FieldKey] = []
) -> Operation {
  .save(
    Operation.Save(
      name: RecordName(stored: name), type: RecordType(stored: type), policy: policy,
      tag: tag.map { Revision($0) }, fields: EncodedRecord(fields), removed: removed))
}

func delete(_ name: String, tag: Int64?, isForced: Bool = false) -> Operation {
  .delete(
    Operation.Delete(
      name: RecordName(stored: name), tag: tag.map { Revision($0) }, isForced: isForced))
}

/// A generator whose draws the test knows.
struct CountingGenerator: RandomNumberGenerator {
  var value: UInt64 = 0

  mutating func next() -> UInt64 {
    value += 1
    return value
  }
}
