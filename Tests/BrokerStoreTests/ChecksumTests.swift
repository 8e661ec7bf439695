// Rows that a disk damaged. They appear in no page, in the output of `check`, and once in the log.

import BrokerCore
import BrokerStore
import Foundation
import GRDB
import Predicates
import Records
import SQLiteFile
import Synchronization
import Testing

@Suite("I1, I16 damaged records")
struct ChecksumTests {
  private let path: String
  private let reported = Reported()

  /// The damaged states that the store reported.
  private final class Reported: Sendable {
    let states = Mutex<[DamagedState]>([])
  }

  init() throws {
    path = try StoreKind.newPath()
  }

  private func open() throws -> SQLiteRecordStore {
    try SQLiteRecordStore(path: path) { [reported] state in
      reported.states.withLock { $0.append(state) }
    }
  }

  /// A client that saved the records a, b and c, and then b again.
  private func client(_ store: SQLiteRecordStore) throws -> StoreClient {
    var client = try StoreClient(store)
    let fields: Fields = ["note": .string("as it was"), "age": .int64(41)]
    _ = try client.modify([save("a", fields), save("b", fields), save("c", fields)])
    _ = try client.modify([save("b", tag: 2, ["age": .int64(42)])], at: time(3))
    return client
  }

  /// Changes the database like a faulty disk.
  private func damage(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `what a record contains of former histories is under its checksum`() throws {
    let versions = VersionVector([
      VersionVector.Entry(incarnation: Incarnation(77), revision: Revision(50))
    ])
    func save(_ former: FormerVersion?, tag: Revision?) -> Records.Operation {
      .save(
        Operation.Save(
          name: RecordName(stored: "d"), type: RecordType(stored: "Contact"), tag: tag,
          fields: EncodedRecord(["age": .int64(tag?.value ?? 1)]), former: former))
    }
    let store = try open()
    var client = try client(store)
    _ = try client.modify([save(FormerVersion(versions, isExact: true), tag: nil)])
    _ = try client.modify([save(nil, tag: Revision(51))])
    #expect(try BrokerArchive(path: path).findings() == [])
    try damage("UPDATE record SET former_versions = zeroblob(32) WHERE name = 'd'")
    #expect(try client.page().changes.map(\.name.text) == ["a", "c", "b"])
    // A device saves it again in full.
    _ = try client.modify([save(nil, tag: nil)])
    #expect(try client.page().changes.last?.name.text == "d")
    #expect(try BrokerArchive(path: path).findings().isEmpty == false, "the damaged earlier state")
    store.emptyLog()
    _ = try BrokerArchive(path: path).repair(at: time(20))
    #expect(try BrokerArchive(path: path).findings() == [])
  }

  @Test(arguments: [
    "fields = CAST(replace(fields, 'as it was', 'as it wax') AS BLOB)", "kind = 1",
    "type = 'Contacu'", "created_at = created_at + 1", "created_number = 9",
    "modified_at = modified_at - 1", "modified_number = 8", "modified_device = 77", "fields = x''",
    "checksum = checksum + 1",
  ])
  func `a record with a flipped bit is withheld, reported once, and found by a check`(
    change: String
  ) throws {
    let store = try open()
    let client = try client(store)
    try damage("UPDATE record SET \(change) WHERE name = 'b'")
    for _ in 0..<2 {
      let page = try client.page()
      #expect(page.changes.map(\.name.text) == ["a", "c"])
      #expect(page.to == Revision(4), "the feed goes on behind it")
    }
    #expect(reported.states.withLock { $0.map(\.name) } == ["b"])
    let findings = try BrokerArchive(path: path).findings()
    #expect(findings.contains { $0.contains("“b”") && $0.contains("ada") }, "\(findings)")
    let id = RecordID(zone: .standard, name: RecordName(stored: "b"))
    let error = #expect(throws: RecordsError.self) {
      try client.store.fetch([id], of: client.identity)
    }
    #expect(error?.reason == "damaged")
    #expect(error?.record?.text == "b")
    let form = QueryForm(
      zone: client.zone, type: RecordType(stored: "Contact"), predicate: PredicateText("age > 0"),
      sort: [], desiredKeys: nil, limit: 0)
    let found = try client.store.query(
      RecordQuery(form), from: nil, of: client.identity, clock: QueryClock(now: time(9)) { false })
    #expect(found.records.map(\.change.name.text) == ["a", "c"])
  }

  @Test func `a page of only damaged records advances the feed`() throws {
    let store = try open()
    let client = try client(store)
    try damage("UPDATE record SET checksum = 0")
    let page = try client.page()
    #expect(page.changes.isEmpty && page.to == Revision(4))
    #expect(page.withheld.map(\.text).sorted() == ["a", "b", "c"])
  }

  @Test func `a damaged earlier version is withheld, the others are returned`() throws {
    var client = try client(open())
    _ = try client.modify([save("b", tag: 4, ["age": .int64(43)])], at: time(4))
    try damage("UPDATE past SET fields = x'00' WHERE revision = 4")
    let id = RecordID(zone: .standard, name: RecordName(stored: "b"))
    let history = try client.store.history(id, below: nil, of: client.identity)
    #expect(history.states.map(\.change.tag.value) == [2])
    #expect(history.isWhole)
    let findings = try BrokerArchive(path: path).findings()
    #expect(findings.count == 1)
    #expect(findings.first?.contains("earlier version") == true, "\(findings)")
  }

  @Test func `an edit of a damaged record fails as deleted, and a complete save replaces it`()
    throws
  {
    var client = try client(open())
    try damage("UPDATE record SET fields = x'00' WHERE name = 'b'")
    let (refused, _) = try client.modify([save("b", tag: 4, ["age": .int64(50)])])
    guard case .failed(let error, let server) = refused.groups[0][0] else {
      throw RecordsError(.internalError, "\(refused)")
    }
    #expect(error.code == .serverRecordChanged)
    #expect(server?.kind == .deleted)
    let (saved, effects) = try client.modify([save("b", ["age": .int64(50)])])
    #expect(saved.groups == [[.saved(tag: Revision(5))]])
    #expect(effects.zones.first?.changes.count == 1)
    #expect(try client.page().changes.map(\.name.text) == ["a", "c", "b"])
  }

  // MARK: Repair

  @Test func `a repair removes damaged records and starts a new incarnation of their zone`() throws
  {
    let before: FeedPage
    do {
      let client = try client(open())
      before = try client.page()
      try damage("UPDATE record SET fields = x'00' WHERE name = 'b'")
    }
    let archive = BrokerArchive(path: path)
    #expect(try archive.repair(at: time(20)).count == 1)
    #expect(try archive.findings() == [])
    #expect(try archive.repair(at: time(21)) == [])
    var client = try StoreClient(try open(), key: [9])
    let page = try client.page(scanStart: 4)
    #expect(page.changes.map(\.name.text) == ["a", "c"])
    #expect(page.changes == before.changes.filter { $0.name.text != "b" })
    // Perhaps no device has the record any more. Its version before the last change is in the trash.
    let trash = try client.store.trash(.standard, below: nil, of: client.identity)
    #expect(trash.items.map(\.last.tag.value) == [2])
    #expect(try trash.items.first?.last.record.fields()["age"] == .int64(41))
    // A device that has the record sends it, as it does after the restore of an older backup.
    _ = try client.modify([save("b", ["age": .int64(42)])])
    #expect(try client.page().changes.map(\.name.text) == ["a", "c", "b"])
    #expect(try archive.findings() == [])
  }

  @Test func `after a repair a zone lists its lost records until they are saved again`() throws {
    let before: Incarnation?
    do {
      let client = try client(open())
      before = client.directory.entries.first?.incarnation
      try damage("UPDATE record SET fields = x'00' WHERE name = 'b'")
    }
    _ = try BrokerArchive(path: path).repair(at: time(20))
    var client = try StoreClient(try open(), key: [9])
    let name = RecordName(stored: "b")
    let former = try #require(try client.stored().former)
    #expect(former.incarnation == before && former.keptThrough == Revision(5))
    #expect(former.lostNames == [name])
    let last = try #require(former.lineage.last)
    #expect(last.revision == Revision(4), "the last change is still in the history")
    _ = try client.modify([save("b", ["age": .int64(42)])])
    #expect(try client.stored().former?.lostNames == [])
  }

  @Test func `an index that disagrees with its table is rebuilt and no record is removed`() throws {
    do {
      var client = try client(open())
      _ = try client.modify([save("unmistakable")])
    }
    try flip("unmistakable", inIndex: "sqlite_autoindex_record_1")
    let archive = BrokerArchive(path: path)
    #expect(try !archive.findings().isEmpty)
    let mending = try archive.mend()
    #expect(mending.hasNewIndexes && mending.damagedCount == 0)
    #expect(try archive.findings() == [])
    #expect(try !archive.mend().hasNewIndexes)
  }

  @Test(arguments: ["b", "unmistakable"])
  func `a damaged record's name is trusted if an index contains it`(
    name: String
  ) throws {
    do {
      var client = try client(open())
      _ = try client.modify([save("unmistakable")])
      try damage("UPDATE record SET fields = x'00' WHERE name = '\(name)'")
    }
    try flip("unmistakable", inIndex: "sqlite_autoindex_record_1")
    #expect(try BrokerArchive(path: path).repair(at: time(20)).count == 2)
    let former = try StoreClient(try open(), key: [9]).stored().former
    if name == "b" {
      #expect(former?.lostNames == [RecordName(stored: name)])
    } else {
      #expect(former == nil, "everything that is missing counts as lost")
    }
  }

  /// Flips a bit of a text in the first page of an index.
  private func flip(_ text: String, inIndex name: String) throws {
    let queue = try DatabaseQueue(path: path)
    let page = try queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
    }
    // After this the file contains everything and the write-ahead log nothing.
    try queue.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let start = (try #require(page) - 1) * 4096
    let place = try #require(bytes.range(of: Data(text.utf8), in: start..<start + 4096))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `repairing an intact database changes nothing`() throws {
    let incarnation: Incarnation?
    do {
      let client = try client(open())
      incarnation = client.directory.entries.first?.incarnation
    }
    #expect(try BrokerArchive(path: path).repair(at: time(20)) == [])
    let client = try StoreClient(try open(), key: [9])
    #expect(client.directory.entries.first?.incarnation == incarnation)
  }
}
