// What requests come to: by number, by tag, by right, by limit.

import BrokerCore
import Records
import Testing

@Suite("I2, I3, I4, I15, I24 modify plan")
struct ModifyPlannerTests {
  // MARK: Numbers

  @Test func `the next number is carried out`() throws {
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
  }

  @Test func `an acknowledged number sent again proves a clone`() throws {
    let plan = plan(request(1, [save("a", tag: nil)]), last: 1, outcome: nil)
    #expect(refusal(plan)?.reason == "clonedDevice")
  }

  @Test func `a number after a gap is refused for now and used by nobody`() throws {
    let error = try #require(refusal(plan(request(3, [save("a", tag: nil)]), last: 1)))
    #expect(error.code.isTransient)
    #expect(error.reason == "outOfOrder")
  }

  @Test func `a device that never acknowledges is slowed down`() throws {
    let last = Int64(Limits.unacknowledgedOutcomes)
    let plan = plan(request(last + 1, [save("a", tag: nil)]), last: last)
    #expect(refusal(plan)?.code == .requestRateLimited)
  }

  @Test func `a revoked device is refused`() throws {
    let plan = plan(request(1, [save("a", tag: nil)]), isRevoked: true)
    #expect(refusal(plan)?.code == .notAuthenticated)
  }

  // MARK: Tags

  @Test func `a save of an unchanged record takes its fields and leaves the others`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let writes = try performed(
      request(1, [save("a", tag: 3, fields: ["first": .string("C")])]), [stored], head: 3)
    let written = try #require(records(writes).first)
    #expect(written.tag == Revision(4))
    #expect(try written.record.fields() == ["first": .string("C"), "last": .string("B")])
    #expect(written.created == stored.created)
  }

  @Test func `removed keys go and the other fields stay`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let writes = try performed(
      request(1, [save("a", tag: 3, removed: ["first"])]), [stored], head: 3)
    #expect(try records(writes).first?.record.fields() == ["last": .string("B")])
  }

  @Test func `all keys replace the record whatever its tag`() throws {
    let stored = change("a", tag: 3, fields: ["first": .string("A"), "last": .string("B")])
    let operation = save("a", tag: 1, policy: .allKeys, fields: ["last": .string("Z")])
    let writes = try performed(request(1, [operation]), [stored], head: 3)
    #expect(try records(writes).first?.record.fields() == ["last": .string("Z")])
  }

  @Test func `changed keys are set whatever the tag`() throws {
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
  func `a save against another tag returns the record that is there`(tag: Int64?) throws {
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

  @Test func `a record deleted before may be made again under its name`() throws {
    let tombstone = change("a", tag: 3, kind: .deleted)
    let writes = try performed(request(1, [save("a", tag: nil)]), [tombstone], head: 3)
    #expect(writes.outcome.groups == [[.saved(tag: Revision(4))]])
  }

  @Test func `an edit of a record deleted meanwhile is told of the tombstone`() throws {
    let tombstone = change("a", tag: 3, kind: .deleted)
    let writes = try performed(request(1, [save("a", tag: 2)]), [tombstone], head: 3)
    guard case .failed(let error, .some(tombstone)) = writes.outcome.groups[0][0] else {
      Issue.record("\(writes.outcome)")
      return
    }
    #expect(error.code == .serverRecordChanged)
  }

  @Test func `deleting what is not there succeeds`() throws {
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

  @Test func `a group with one bad operation leaves nothing and the others stand`() throws {
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

  @Test func `revisions rise by one with each record and a later group sees the earlier`() throws {
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

  @Test func `somebody else's zone is not known here`() throws {
    let theirs = zone(owner: bob)
    let request = ModifyRequest(
      number: number(1), acknowledged: .zero,
      groups: [OperationGroup(zone: theirs.id, operations: [save("a", tag: nil)])])
    let writes = try performed(request, zones: [theirs])
    #expect(code(writes.outcome.groups[0][0]) == .zoneNotFound)
  }

  @Test func `a zone is made, and used, in one request`() throws {
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
    let writes = try performed(request(1, [.deleteZone]))
    #expect(code(writes.outcome.groups[0][0]) == .invalidArguments)
  }

  @Test func `a zone that was deleted takes no record and no new title`() throws {
    let gone = zone(isDeleted: true)
    for operation in [save("a", tag: nil), .saveZone(title: "Again")] {
      let writes = try performed(request(1, [operation]), zones: [gone])
      #expect(code(writes.outcome.groups[0][0]) == .zoneNotFound)
    }
  }

  // MARK: Bad records

  @Test func `a record that grows beyond the bound is refused`() throws {
    let half = Value.bytes([UInt8](repeating: 1, count: Limits.recordBytes / 2))
    let stored = change("a", tag: 1, fields: ["x": half])
    let writes = try performed(
      request(1, [save("a", tag: 1, fields: ["y": half])]), [stored], head: 1)
    #expect(code(writes.outcome.groups[0][0]) == .limitExceeded)
  }

  @Test func `fields that are no record are refused and named`() throws {
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

  @Test func `a record keeps its type`() throws {
    let writes = try performed(
      request(1, [save("a", tag: 1, type: "Post")]), [change("a", tag: 1)], head: 1)
    #expect(code(writes.outcome.groups[0][0]) == .constraintViolation)
  }

  // MARK: Arranging

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
    let gathered = GatheredForModify(
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
      throw RecordsError(.internalError, "not performed: \(plan)")
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

  private func code(_ result: OperationResult) -> ErrorCode? {
    guard case .failed(let error, _) = result else { return nil }
    return error.code
  }
}
