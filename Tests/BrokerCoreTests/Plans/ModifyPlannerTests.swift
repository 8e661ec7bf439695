// The outcomes of modify requests by number, change tag, permission and limit.

import BrokerCore
import Records
import Testing

@Suite("I2, I3, I4, I15, I24 modify plan")
struct ModifyPlannerTests {
  // MARK: Numbers

  @Test func `the next number is applied`() throws {
    let writes = try performed(request(1, [save("a", tag: nil)]))
    #expect(writes.outcome.groups == [[.saved(tag: Revision(1))]])
    #expect(writes.writes.count == 1)
  }

  @Test func `an earlier request gets its first outcome again and writes nothing`() throws {
    let asked = request(1, [save("a", tag: nil)])
    let outcome = ModifyOutcome(number: number(1), groups: [[.saved(tag: Revision(1))]])
    let plan = plan(
      asked, last: 1, outcome: StoredOutcome(fingerprint: asked.fingerprint, outcome: outcome))
    guard case .replay(outcome) = plan else {
      Issue.record("\(plan)")
      return
    }
  }

  @Test func `another request under an earlier number proves a clone`() throws {
    let outcome = ModifyOutcome(number: number(1), groups: [[.saved(tag: Revision(1))]])
    let plan = plan(
      request(1, [save("b", tag: nil)]), last: 1,
      outcome: StoredOutcome(fingerprint: 99, outcome: outcome))
    #expect(refusal(plan)?.reason == "clonedDevice")
    #expect(refusal(plan)?.code == .constraintViolation)
  }

  @Test func `an acknowledged number sent again proves a clone`() throws {
    let plan = plan(request(1, [save("a", tag: nil)]), last: 1, outcome: nil)
    #expect(refusal(plan)?.reason == "clonedDevice")
  }

  @Test func `a number after a gap is refused with a transient error`() throws {
    let error = try #require(refusal(plan(request(3, [save("a", tag: nil)]), last: 1)))
    #expect(error.code.isTransient)
    #expect(error.reason == "outOfOrder")
  }

  @Test func `a device that never acknowledges outcomes is rate-limited`() throws {
    let last = Int64(Limits.unacknowledgedOutcomes)
    let plan = plan(request(last + 1, [save("a", tag: nil)]), last: last)
    #expect(refusal(plan)?.code == .requestRateLimited)
  }

  @Test func `a revoked device is refused`() throws {
    let plan = plan(request(1, [save("a", tag: nil)]), isRevoked: true)
    #expect(refusal(plan)?.code == .notAuthenticated)
  }

  // MARK: Tags

  @Test func `a save of an unchanged record sets its fields and keeps the others`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let writes = try performed(
      request(1, [save("a", tag: 3, fields: ["first": .string("C")])]), [stored], head: 3)
    let written = try #require(records(writes).first)
    #expect(written.tag == Revision(4))
    #expect(try written.record.fields() == ["first": .string("C"), "last": .string("B")])
    #expect(written.created == stored.created)
  }

  @Test func `removed keys are deleted and the other fields remain`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let writes = try performed(
      request(1, [save("a", tag: 3, removed: ["first"])]), [stored], head: 3)
    #expect(try records(writes).first?.record.fields() == ["last": .string("B")])
  }

  @Test func `a save of all keys replaces the record regardless of its tag`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let operation = save("a", tag: 1, policy: .allKeys, fields: ["last": .string("Z")])
    let writes = try performed(request(1, [operation]), [stored], head: 3)
    #expect(try records(writes).first?.record.fields() == ["last": .string("Z")])
  }

  @Test func `a save of changed keys sets them regardless of the tag`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let operation = save("a", tag: 1, policy: .changedKeys, fields: ["last": .string("Z")])
    let writes = try performed(request(1, [operation]), [stored], head: 3)
    #expect(
      try records(writes).first?.record.fields() == ["first": .string("A"), "last": .string("Z")])
  }

  @Test func `a save that changes nothing keeps the tag and writes nothing`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A")])
    let writes = try performed(
      request(1, [save("a", tag: 3, fields: ["first": .string("A")])]), [stored], head: 3)
    #expect(writes.outcome.groups == [[.saved(tag: Revision(3))]])
    #expect(writes.writes.isEmpty)
  }

  @Test(arguments: [nil, 2, 4] as [Int64?])
  func `a save with another tag returns the stored record`(tag: Int64?) throws {
    let stored = change("a", tag: 3)
    let writes = try performed(request(1, [save("a", tag: tag)]), [stored], head: 3)
    let result = try #require(writes.outcome.groups.first?.first)
    guard case .failed(let error, .some(stored)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.code == .serverRecordChanged)
    #expect(writes.writes.isEmpty)
  }

  @Test func `a deleted record can be created again under its name`() throws {
    let tombstone = change("a", tag: 3, kind: .deleted)
    let writes = try performed(request(1, [save("a", tag: nil)]), [tombstone], head: 3)
    #expect(writes.outcome.groups == [[.saved(tag: Revision(4))]])
  }

  @Test func `an edit of a record that was deleted meanwhile returns the tombstone`() throws {
    let tombstone = change("a", tag: 3, kind: .deleted)
    let writes = try performed(request(1, [save("a", tag: 2)]), [tombstone], head: 3)
    guard case .failed(let error, .some(tombstone)) = writes.outcome.groups[0][0] else {
      Issue.record("\(writes.outcome)")
      return
    }
    #expect(error.code == .serverRecordChanged)
  }

  @Test func `deleting a record that does not exist succeeds`() throws {
    let writes = try performed(request(1, [delete("a", tag: 1)]))
    #expect(writes.outcome.groups == [[.deleted(tag: nil)]])
    #expect(writes.writes.isEmpty)
  }

  @Test func `a deletion needs the tag unless it is forced`() throws {
    let stored = change("a", tag: 3)
    let checked = try performed(request(1, [delete("a", tag: 2)]), [stored], head: 3)
    guard case .failed(let error, _) = checked.outcome.groups[0][0] else {
      Issue.record("\(checked.outcome)")
      return
    }
    #expect(error.code == .serverRecordChanged)
    let forced = try performed(
      request(1, [delete("a", tag: 2, isForced: true)]), [stored], head: 3)
    #expect(forced.outcome.groups == [[.deleted(tag: Revision(4))]])
  }

  // MARK: Groups

  @Test func `a group with a failing operation changes nothing, other groups apply`() throws {
    let stored = change("taken", tag: 1)
    let groups = [
      [save("a", tag: nil), save("taken", tag: nil), save("b", tag: nil)],
      [save("c", tag: nil)],
    ]
    let writes = try performed(request(1, groups: groups), [stored], head: 1)
    let codes = writes.outcome.groups.map { $0.map(code) }
    #expect(
      codes == [[.batchRequestFailed, .serverRecordChanged, .batchRequestFailed], [nil]])
    #expect(records(writes).map(\.name.text) == ["c"])
    #expect(records(writes).map(\.tag) == [Revision(2)])
  }

  @Test func `revisions rise by one per record, and later groups see earlier ones`() throws {
    let groups = [
      [save("a", tag: nil), save("b", tag: nil)], [save("a", tag: 1)], [delete("b", tag: 2)],
    ]
    let writes = try performed(request(1, groups: groups.map { $0 }))
    #expect(records(writes).map(\.tag.value) == [1, 2, 3])
    #expect(
      writes.outcome.groups[2] == [.deleted(tag: Revision(3))],
      "the second group changed nothing, so the third is the third change")
  }

  // MARK: Rights and zones

  @Test func `an account cannot learn of another account's zone`() throws {
    let theirs = zone(owner: bob)
    let request = ModifyRequest(
      number: number(1), acknowledged: .zero,
      groups: [OperationGroup(zone: theirs.id, operations: [save("a", tag: nil)])])
    let writes = try performed(request, zones: [theirs])
    #expect(code(writes.outcome.groups[0][0]) == .zoneNotFound)
  }

  @Test func `a request can create a zone and save a record in it`() throws {
    let id = ZoneID(name: ZoneName(0x77))
    let request = ModifyRequest(
      number: number(1), acknowledged: .zero,
      groups: [
        OperationGroup(zone: id, operations: [.saveZone(title: "Family")]),
        OperationGroup(zone: id, operations: [save("a", tag: nil)]),
      ])
    let writes = try performed(request)
    #expect(writes.outcome.groups == [[.zoneSaved], [.saved(tag: Revision(1))]])
    guard case .createZone(let zone) = writes.writes.first else {
      Issue.record("\(writes.writes)")
      return
    }
    #expect(zone.id == ZoneID(owner: ada, name: ZoneName(0x77)))
  }

  @Test func `the standard zone cannot be deleted`() throws {
    let writes = try performed(request(1, [.deleteZone()]))
    #expect(code(writes.outcome.groups[0][0]) == .invalidArguments)
  }

  @Test func `a deleted zone accepts neither records nor a title`() throws {
    let gone = zone(isDeleted: true)
    for operation in [save("a", tag: nil), .saveZone(title: "Again")] {
      let writes = try performed(request(1, [operation]), zones: [gone])
      #expect(code(writes.outcome.groups[0][0]) == .zoneNotFound)
    }
  }

  // MARK: Invalid records

  @Test func `a record that grows beyond the limit is refused`() throws {
    let half = Value.bytes([UInt8](repeating: 1, count: Limits.recordBytes / 2))
    let stored = change("a", tag: 1, fields: ["x": half])
    let writes = try performed(
      request(1, [save("a", tag: 1, fields: ["y": half])]), [stored], head: 1)
    #expect(code(writes.outcome.groups[0][0]) == .limitExceeded)
  }

  @Test func `malformed fields are refused, and the error names the record`() throws {
    let bad = Operation.save(
      Operation.Save(
        name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), tag: nil,
        fields: EncodedRecord(stored: [0xFF, 0xFF])))
    let writes = try performed(request(1, [bad]))
    guard case .failed(let error, _) = writes.outcome.groups[0][0] else {
      Issue.record("\(writes.outcome)")
      return
    }
    #expect(error.code == .invalidArguments)
    #expect(error.record == RecordName(stored: "a"))
  }

  @Test func `the type of a record cannot change`() throws {
    let writes = try performed(
      request(1, [save("a", tag: 1, type: "Post")]), [change("a", tag: 1)], head: 1)
    #expect(code(writes.outcome.groups[0][0]) == .constraintViolation)
  }

  // MARK: Fixtures

  private func request(_ value: Int64, _ operations: [Operation]) -> ModifyRequest {
    request(value, groups: [operations])
  }

  private func request(_ value: Int64, groups: [[Operation]]) -> ModifyRequest {
    ModifyRequest(
      number: number(value), acknowledged: .zero,
      groups: groups.map { OperationGroup(zone: .standard, operations: $0) })
  }

  private func plan(
    _ request: ModifyRequest, _ stored: [Change] = [], head: Int64 = 0,
    zones: [StoredZone]? = nil, last: Int64 = 0, outcome: StoredOutcome? = nil,
    isRevoked: Bool = false
  ) -> ModifyPlan {
    let zones = zones ?? [zone(head: head)]
    let gathered = ModifyRows(
      numbers: StoredNumbers(
        last: number(last), acknowledged: .zero, outcome: outcome, isRevoked: isRevoked),
      zones: Dictionary(uniqueKeysWithValues: zones.map { ($0.id, $0) }),
      records: Dictionary(
        uniqueKeysWithValues: stored.map { (RecordID(zone: zones[0].id, name: $0.name), $0) }))
    var planner = ModifyPlanner(request, of: identity, at: now, gathered: gathered)
    var generator = CountingGenerator()
    return planner.plan(using: &generator)
  }

  private func performed(
    _ request: ModifyRequest, _ stored: [Change] = [], head: Int64 = 0,
    zones: [StoredZone]? = nil
  ) throws -> ModifyWrites {
    let plan = plan(request, stored, head: head, zones: zones)
    guard case .perform(let writes) = plan else {
      throw RecordsError(.internalError, "refused: \(plan)")
    }
    return writes
  }

  private func refusal(_ plan: ModifyPlan) -> RecordsError? {
    guard case .refuse(let error) = plan else { return nil }
    return error
  }

  private func records(_ writes: ModifyWrites) -> [Change] {
    writes.writes.compactMap {
      guard case .record(_, let change, _) = $0 else { return nil }
      return change
    }
  }

  private func code(_ result: OperationResult) -> RecordsError.Code? {
    guard case .failed(let error, _) = result else { return nil }
    return error.code
  }
}
