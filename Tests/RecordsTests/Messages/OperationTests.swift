import Records
import Testing

@Suite("I5 fingerprints of requests")
struct OperationTests {
  private static let save = Operation.Save(
    name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), tag: Revision(1),
    fields: .empty)

  private static func save(
    name: String = "a", type: RecordType = RecordType(stored: "Contact"),
    policy: SavePolicy = .ifServerRecordUnchanged,
    tag: Revision? = Revision(1), fields: Fields = [:], removed: [FieldKey] = []
  ) -> Operation {
    .save(
      Operation.Save(
        name: RecordName(stored: name), type: type, policy: policy, tag: tag,
        fields: EncodedRecord(fields), removed: removed))
  }

  private static func delete(
    name: String = "a", tag: Revision? = Revision(1), isForced: Bool = false, move: MoveID? = nil
  ) -> Operation {
    .delete(
      Operation.Delete(
        name: RecordName(stored: name), tag: tag, isForced: isForced, move: move))
  }

  private static func deleteZone(
    _ incarnation: UInt128, _ revision: Int64, former: [Int64] = []
  ) -> Operation {
    .deleteZone(
      ifUnchangedSince: ChangeToken(
        incarnation: Incarnation(incarnation), revision: Revision(revision), scanStart: .zero),
      former: VersionVector(
        former.map { VersionVector.Entry(incarnation: Incarnation(9), revision: Revision($0)) }))
  }

  /// Lists of operations of which no two are the same request.
  private static let requests: [[Operation]] = [
    [], [save()], [save(name: "b")], [save(type: RecordType(stored: "Post"))],
    [save(policy: .changedKeys)],
    [save(policy: .allKeys)], [save(tag: nil)], [save(tag: .zero)], [save(tag: Revision(2))],
    [save(fields: ["x": .int64(1)])], [save(fields: ["x": .int64(2)])], [save(removed: ["x"])],
    [save(removed: ["y"])], [save(removed: ["x", "y"])], [save(removed: ["xy"])],
    [save(), save()], [save(), delete()], [delete(), save()],
    [delete()], [delete(name: "b")], [delete(tag: nil)], [delete(tag: .zero)],
    [delete(isForced: true)], [delete(move: MoveID(1))], [delete(move: MoveID(2))],
    [.saveZone(title: "")], [.saveZone(title: "a")], [.deleteZone()],
    [deleteZone(1, 1)], [deleteZone(2, 1)], [deleteZone(1, 2)],
    [deleteZone(1, 1, former: [1])], [deleteZone(1, 1, former: [2])],
    [.restoreZone], [.emptyTrash(through: .zero)], [.emptyTrash(through: Revision(1))],
  ]

  private func request(
    _ groups: [[Operation]], owner: UInt128 = 0, zone: UInt128 = 1, number: Int64 = 1,
    acknowledged: Int64 = 0
  ) -> ModifyRequest {
    let id = ZoneID(owner: AccountID(owner), name: ZoneName(zone))
    return ModifyRequest(
      number: RequestNumber(number), acknowledged: RequestNumber(acknowledged),
      groups: groups.map { OperationGroup(zone: id, operations: $0) })
  }

  @Test func `every part of an operation is in the fingerprint`() {
    var seen: [UInt128: Int] = [:]
    for (index, operations) in Self.requests.enumerated() {
      let fingerprint = request([operations]).fingerprint
      if let other = seen.updateValue(index, forKey: fingerprint) {
        Issue.record("\(operations) has the fingerprint of \(Self.requests[other])")
      }
    }
    #expect(seen.count == Self.requests.count)
  }

  @Test func `the zone, the owner and the division into groups are in the fingerprint`() {
    let operation = Self.save()
    let requests = [
      request([]), request([[]]), request([[], []]), request([[operation]]),
      request([[operation]], zone: 2), request([[operation]], owner: 1),
      request([[operation, operation]]), request([[operation], [operation]]),
      request([[operation], []]), request([[], [operation]]),
    ]
    #expect(Set(requests.map(\.fingerprint)).count == requests.count)
  }

  @Test func `the number and the acknowledgement are not in the fingerprint`() {
    let first = request([[Self.save()]])
    #expect(first.fingerprint == request([[Self.save()]], number: 9, acknowledged: 8).fingerprint)
  }

  @Test func `a request counts the operations of all groups`() {
    #expect(request([]).operationCount == 0)
    #expect(request([[]]).operationCount == 0)
    #expect(request([[.deleteZone(), .deleteZone()], [], [.deleteZone()]]).operationCount == 3)
  }

  @Test func `a save checks the tag and retains other fields unless it says otherwise`() {
    #expect(Self.save.policy == .ifServerRecordUnchanged)
    #expect(Self.save.removed.isEmpty)
    let delete = Operation.Delete(name: RecordName(stored: "a"), tag: nil)
    #expect(!delete.isForced && delete.move == nil)
  }
}
