// Every store: the deletion of a zone that depends on what its author had read.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("N1 conditional deletion of a zone contract")
struct ZoneDeletionContract {
  /// Ada's zone, which bob shares, and its position after ada's device has read everything.
  private func world(_ kind: StoreKind) throws -> (SharedWorld, ChangeToken) {
    var world = try SharedWorld(kind)
    try world.accept()
    let read = try tag(of: world.ada.modify([save("by ada")], in: world.zone).0.first)
    let zone = try #require(try world.ada.entry(world.zone))
    return (world, ChangeToken(incarnation: zone.incarnation, revision: read, scanStart: read))
  }

  private func tag(of result: OperationResult?) throws -> Revision {
    guard case .saved(let tag) = result else {
      throw RecordsError(.internalError, "It was not saved: \(String(describing: result)).")
    }
    return tag
  }

  private func error(_ result: OperationResult?) -> RecordsError? {
    guard case .failed(let error, _) = result else { return nil }
    return error
  }

  @Test(arguments: StoreKind.allCases)
  func `a change by another account after the position rejects it`(kind: StoreKind) throws {
    var (world, token) = try world(kind)
    _ = try world.bob.modify([save("by bob"), save("also by bob")], in: world.zone)
    let deletion = Operation.deleteZone(ifUnchangedSince: token)
    let rejected = error(try world.ada.modify([deletion], in: world.zone).0.first)
    #expect(rejected?.reason == "zoneChanged")
    #expect(rejected?.message == "bob made 2 changes since; nothing was deleted.")
    #expect(try world.ada.entry(world.zone)?.isDeleted == false)
    #expect(try world.ada.modify([.deleteZone()], in: world.zone).0 == [.zoneDeleted])
  }

  @Test(arguments: StoreKind.allCases)
  func `the author's own changes and those before the position do not`(kind: StoreKind) throws {
    var (world, token) = try world(kind)
    token.revision = try tag(of: world.bob.modify([save("by bob")], in: world.zone).0.first)
    _ = try world.ada.modify([save("later")], in: world.zone)
    let deletion = Operation.deleteZone(ifUnchangedSince: token)
    #expect(try world.ada.modify([deletion], in: world.zone).0 == [.zoneDeleted])
  }

  @Test(arguments: StoreKind.allCases)
  func `what others deleted since does not`(kind: StoreKind) throws {
    var (world, token) = try world(kind)
    _ = try world.bob.modify([save("by bob")], in: world.zone)
    let forced = Operation.Delete(name: RecordName(stored: "by bob"), tag: nil, isForced: true)
    _ = try world.bob.modify([.delete(forced)], in: world.zone)
    let deletion = Operation.deleteZone(ifUnchangedSince: token)
    #expect(try world.ada.modify([deletion], in: world.zone).0 == [.zoneDeleted])
  }

  @Test(arguments: StoreKind.allCases)
  func `a position in an unknown history counts as nothing read`(kind: StoreKind) throws {
    var (world, token) = try world(kind)
    _ = try world.bob.modify([save("by bob")], in: world.zone)
    token = ChangeToken(
      incarnation: Incarnation(99), revision: Revision(9), scanStart: Revision(9))
    let deletion = Operation.deleteZone(ifUnchangedSince: token)
    let rejected = error(try world.ada.modify([deletion], in: world.zone).0.first)
    #expect(rejected?.message == "bob made 1 change since; nothing was deleted.")
  }

  @Test(arguments: StoreKind.allCases)
  func `states that the author had before a restore do not hide a later change`(
    kind: StoreKind
  ) throws {
    var (world, token) = try world(kind)
    token = ChangeToken(
      incarnation: Incarnation(77), revision: Revision(1000), scanStart: Revision(1000))
    // More than are read at once.
    for half in 0..<2 {
      let saves = (1...300).map { index in
        let versions = VersionVector([
          VersionVector.Entry(
            incarnation: Incarnation(77), revision: Revision(Int64(half * 300 + index)))
        ])
        return Operation.save(
          Operation.Save(
            name: RecordName(stored: "\(half) \(index)"), type: RecordType(stored: "Contact"),
            tag: nil, fields: EncodedRecord(["age": .int64(1)]),
            former: FormerVersion(versions, isExact: true)))
      }
      _ = try world.bob.modify(saves, in: world.zone)
    }
    _ = try world.bob.modify([save("new")], in: world.zone)
    let deletion = Operation.deleteZone(ifUnchangedSince: token)
    let rejected = error(try world.ada.modify([deletion], in: world.zone).0.first)
    #expect(rejected?.message == "bob made 1 change since; nothing was deleted.")
  }

  @Test(arguments: StoreKind.allCases)
  func `a repeated deletion counts what its author had read of other histories`(
    kind: StoreKind
  ) throws {
    var (world, token) = try world(kind)
    token = ChangeToken(
      incarnation: Incarnation(78), revision: Revision(50), scanStart: Revision(50))
    for revision in 40...41 { try world.saveAgain(Int64(revision)) }
    func deletion(reading revision: Int64) -> Operation {
      let entry = VersionVector.Entry(
        incarnation: Incarnation(77), revision: Revision(revision))
      return .deleteZone(ifUnchangedSince: token, former: VersionVector([entry]))
    }
    let rejected = error(
      try world.ada.modify([deletion(reading: 40)], in: world.zone).0.first)
    #expect(rejected?.message == "bob made 1 change since; nothing was deleted.")
    #expect(try world.ada.modify([deletion(reading: 41)], in: world.zone).0 == [.zoneDeleted])
  }
}

extension SharedWorld {
  /// Bob saves a state of a lost history again.
  fileprivate mutating func saveAgain(_ revision: Int64) throws {
    let versions = VersionVector([
      VersionVector.Entry(incarnation: Incarnation(77), revision: Revision(revision))
    ])
    let save = Records.Operation.Save(
      name: RecordName(stored: "lost \(revision)"), type: RecordType(stored: "Contact"),
      tag: nil, fields: EncodedRecord(["age": .int64(1)]),
      former: FormerVersion(versions, isExact: true))
    _ = try bob.modify([.save(save)], in: zone)
  }
}
