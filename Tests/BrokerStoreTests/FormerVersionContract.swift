// Every store: states of former histories that devices save again after a restore.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("I26 states of former histories contract")
struct FormerVersionContract {
  private static func former(_ revision: Int64, isExact: Bool = true) -> FormerVersion {
    FormerVersion(
      VersionVector([
        VersionVector.Entry(incarnation: Incarnation(77), revision: Revision(revision))
      ]), isExact: isExact)
  }

  private static func save(
    _ age: Int64, tag: Int64? = nil, former: FormerVersion? = nil
  ) -> Operation {
    .save(
      Operation.Save(
        name: RecordName(stored: "a"), type: RecordType(stored: "Contact"),
        tag: tag.map { Revision($0) }, fields: EncodedRecord(["age": .int64(age)]),
        former: former))
  }

  private func isStale(_ outcome: ModifyOutcome) -> Bool {
    guard case .failed(let error, _?) = outcome.groups[0][0] else { return false }
    return error.code == .serverRecordChanged
  }

  @Test(arguments: StoreKind.allCases)
  func `a state says what it contains until the record is edited, then its own revision too`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([Self.save(1, former: Self.former(50))])
    #expect(try client.page().changes.map(\.former) == [Self.former(50)])
    _ = try client.modify([Self.save(2, tag: 51)])
    var edited = Self.former(50).versions
    edited.raise(try client.stored().incarnation, to: Revision(52))
    #expect(
      try client.page().changes.map(\.former) == [FormerVersion(edited, isExact: true)])
    #expect(try client.page().changes.map(\.tag) == [Revision(52)], "above the former revision")
    let id = RecordID(zone: client.zone, name: RecordName(stored: "a"))
    let history = try client.store.history(id, below: nil, of: client.identity)
    #expect(history.states.map(\.change.former) == [Self.former(50)])
  }

  @Test(arguments: StoreKind.allCases)
  func `a state that the record contains already is rejected, a later one is saved`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([Self.save(1, former: Self.former(50))])
    #expect(isStale(try client.modify([Self.save(2, tag: 51, former: Self.former(49))]).0))
    _ = try client.modify([Self.save(3, tag: 51, former: Self.former(51))])
    #expect(try client.page().changes.map(\.former) == [Self.former(51)])
  }

  @Test(arguments: StoreKind.allCases)
  func `a deletion is repeated, and rejects the states that it followed`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([Self.save(1)])
    let versions = try Lineage().versions(
      at: Revision(1), nil, in: client.stored().incarnation
    ).union(Self.former(50).versions)
    let deletion = Operation.Delete(
      name: RecordName(stored: "a"), tag: Revision(1),
      former: FormerVersion(versions, isExact: true))
    _ = try client.modify([.delete(deletion)])
    #expect(try client.page().changes.map(\.former) == [deletion.former])
    #expect(isStale(try client.modify([Self.save(2, former: Self.former(49))]).0))
    _ = try client.modify([Self.save(3, former: Self.former(51, isExact: false))])
    #expect(try client.page().changes.map(\.kind) == [.saved])
  }

  @Test(arguments: StoreKind.allCases)
  func `of two titles the one with the higher revision stays`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let zone = ZoneID(name: ZoneName(5))
    for (title, former) in [("A", nil), ("B", 9), ("C", 8), ("D", nil)] as [(String, Int64?)] {
      let group = OperationGroup(
        zone: zone,
        operations: [.saveZone(title: title, former: former.map { Revision($0) })])
      _ = client.committer.perform([client.nextRequest([group])], at: time(2))
    }
    let entry = try client.signInAgain().directory.entries.first { $0.zone.name == ZoneName(5) }
    #expect(entry?.title == "D" && entry?.titleRevision == Revision(10))
  }
}
