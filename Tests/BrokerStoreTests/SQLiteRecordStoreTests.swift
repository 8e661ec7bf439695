// The SQLite store only: files of other programs, and the durability of commits.

import BrokerCore
import BrokerStore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile
import Testing

@Suite("B6 SQLite store")
struct SQLiteRecordStoreTests {
  @Test func `committed data is there when the file is opened again`() throws {
    let path = try StoreKind.newPath()
    do {
      var client = try StoreClient(try SQLiteRecordStore(path: path))
      _ = try client.modify([save("a", ["x": .int64(1)])])
    }
    let client = try StoreClient(try SQLiteRecordStore(path: path), key: [9])
    #expect(try client.page().changes.map(\.name.text) == ["a"])
  }

  @Test func `an emptied log has nothing that the file lacks`() throws {
    let path = try StoreKind.newPath()
    var client = try StoreClient(try SQLiteRecordStore(path: path))
    _ = try client.modify([save("a", ["x": .int64(1)])])
    #expect(try Data(contentsOf: URL(filePath: "\(path)-wal")).isEmpty == false)
    client.store.emptyLog()
    #expect(try Data(contentsOf: URL(filePath: "\(path)-wal")).isEmpty)
    _ = try client.modify([save("b")])
    #expect(try client.page().changes.map(\.name.text) == ["a", "b"])
  }

  @Test func `a sign-in names the last rewind, also after a restore that continues`() throws {
    let path = try StoreKind.newPath()
    func rewoundAt(after kind: RestoreKind?) throws -> Revision {
      if let kind { try BrokerArchive(path: path).beginNewHistory(at: time(3), kind) }
      var client = try StoreClient(try SQLiteRecordStore(path: path))
      return try client.signInAgain().rewoundAt
    }
    #expect(try rewoundAt(after: nil) == .zero)
    #expect(try rewoundAt(after: .continue) == .zero)
    let first = try rewoundAt(after: .rewind)
    #expect(first > .zero)
    #expect(try rewoundAt(after: .continue) == first)
    #expect(try rewoundAt(after: .rewind) > first)
  }

  @Test(arguments: [false, true])
  func `a zone made after a restore has no tag of the one that the backup lacks`(
    isRestored: Bool
  ) throws {
    let path = try StoreKind.newPath()
    _ = try SQLiteRecordStore(path: path)
    if isRestored { try BrokerArchive(path: path).beginNewHistory(at: time(3), .continue) }
    var client = try StoreClient(try SQLiteRecordStore(path: path))
    let request = client.nextRequest([
      OperationGroup(
        zone: ZoneID(name: ZoneName(5)),
        operations: [.saveZone(title: "Rowing"), save("a"), save("b")])
    ])
    let outcome = try StoreClient.outcome(client.committer.perform([request], at: time(4))[0]).0
    let tags = outcome.groups[0].compactMap { result -> Int64? in
      guard case .saved(let tag) = result else { return nil }
      return tag.value
    }
    let first = isRestored ? try #require(tags.first) : 1
    #expect(tags == [first, first + 1])
    #expect(!isRestored || first > Lineage.gapMinimum)
  }

  /// The device's row is written once for several requests. The stored outcomes supply the later numbers.
  @Test(arguments: [1, 15, 16, 17, 40])
  func `a device's request numbers continue after a restart`(requests: Int) throws {
    let path = try StoreKind.newPath()
    do {
      var client = try StoreClient(try SQLiteRecordStore(path: path))
      for number in 1...requests {
        let request = ModifyRequest(
          number: RequestNumber(Int64(number)), acknowledged: RequestNumber(Int64(number) - 1),
          groups: [OperationGroup(zone: .standard, operations: [save("record \(number)")])])
        let result = client.committer.perform(
          [
            .client(
              .modify(request),
              RequestContext(connection: ConnectionID(1), replyTo: 1, identity: client.identity))
          ],
          at: time(2))
        _ = try StoreClient.outcome(result[0])
      }
    }
    var client = try StoreClient(try SQLiteRecordStore(path: path), key: [9])
    let device = try #require(try client.page().changes.first?.modified.origin.device)
    let signedIn = try StoreClient.signIn(
      &client.committer, account: "ada", key: [1], device: device)
    #expect(signedIn.lastNumber == RequestNumber(Int64(requests)))
  }

  @Test func `every commit waits for the disk`() throws {
    let store = try SQLiteRecordStore(path: try StoreKind.newPath())
    #expect(try store.pragma("synchronous") == "2", "FULL")
    #expect(try store.pragma("journal_mode") == "wal")
    // The log is copied between commits.
    #expect(try store.pragma("wal_autocheckpoint") == "0")
  }

  @Test func `a file that is not a database is rejected and left unchanged`() throws {
    let path = try StoreKind.newPath()
    let text = Data(String(repeating: "not a database ", count: 100).utf8)
    try text.write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) { try SQLiteRecordStore(path: path) }
    #expect(error?.kind == .foreign)
    #expect(try Data(contentsOf: URL(filePath: path)) == text)
  }

  @Test func `another program's database is rejected and left unchanged`() throws {
    let path = try StoreKind.newPath()
    do {
      let other = try DatabaseQueue(path: path)
      try other.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
      try other.close()
    }
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: StoreError.self) { try SQLiteRecordStore(path: path) }
    #expect(error?.kind == .foreign)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a database of another version is rejected`() throws {
    let path = try StoreKind.newPath()
    do {
      _ = try SQLiteRecordStore(path: path)
    }
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')")
      }
      try queue.close()
    }
    let error = #expect(throws: StoreError.self) { try SQLiteRecordStore(path: path) }
    #expect(error?.kind == .otherVersion)
  }

  @Test func `a missing folder is reported in a sentence`() throws {
    let error = #expect(throws: StoreError.self) {
      try SQLiteRecordStore(path: "/nonexistent/broker.sqlite")
    }
    #expect(error?.kind == .unreadable)
  }
}
