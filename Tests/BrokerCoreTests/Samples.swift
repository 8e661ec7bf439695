// The account, device and records that the tests of this target use.

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
    head: Revision(head), expiredThrough: Revision(reaped), isDeleted: isDeleted)
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
  _ name: String, tag: Int64?, policy: SavePolicy = .ifServerRecordUnchanged,
  type: String = "Contact",
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

/// A generator whose numbers the test knows.
struct CountingGenerator: RandomNumberGenerator {
  var value: UInt64 = 0

  mutating func next() -> UInt64 {
    value += 1
    return value
  }
}

/// Returns the envelope of a request of the sample device.
func context(
  _ connection: ConnectionID, replyTo: UInt64 = 1, queuedBytes: Int = 0
) -> RequestContext {
  RequestContext(
    connection: connection, replyTo: replyTo, identity: identity, queuedBytes: queuedBytes)
}

/// Returns the store's answer to a request of the sample device.
func client(
  _ outcome: StorageOutcome, _ connection: ConnectionID, replyTo: UInt64 = 1, queuedBytes: Int = 0
) -> StorageResult {
  .client(outcome, context(connection, replyTo: replyTo, queuedBytes: queuedBytes))
}

/// Returns the result of a completed step of a job.
func done(_ job: Job, _ report: StepReport = StepReport()) -> StorageResult {
  .maintained(MaintenanceResult(job, .done(report)))
}

/// Returns the result of a failed step of a job.
func failed(_ job: Job) -> StorageResult { .maintained(MaintenanceResult(job, .failed)) }

/// Returns whether the action is a step of a job.
func isStep(of job: Job, _ action: BrokerAction) -> Bool {
  if case .store(.maintain(let step)) = action { step.job == job } else { false }
}
