// The `reference` table is only an index. If its rows are damaged, the records themselves decide.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Testing

@Suite("T1, B6, I1 rows of references")
struct ReferenceRowsTests {
  private let path: String

  init() throws {
    path = try StoreKind.newPath()
  }

  /// Changes the database like a faulty disk.
  private func write(_ sql: String, _ arguments: StatementArguments = []) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql, arguments: arguments) }
    try queue.close()
  }

  private func client(_ key: UInt8 = 1) throws -> StoreClient {
    try StoreClient(try SQLiteRecordStore(path: path), key: [key])
  }

  @Test func `a reference row that contradicts its record deletes nothing`() throws {
    var client = try client()
    _ = try client.results([save("p"), save("q"), attach("c", to: ["p"]), save("free")])
    try write("UPDATE reference SET parent = 'q'")
    try write("INSERT INTO reference SELECT zone, 'p', 'free' FROM reference")
    _ = try client.results([delete("q", tag: 2)])
    #expect(try client.seen(among: ["p", "q", "c", "free"]) == ["p", "c", "free"])
    // The child's own row is missing. The child remains, as a comment without its post, until it is saved.
    _ = try client.results([delete("p", tag: 1)])
    #expect(try client.seen(among: ["p", "c", "free"]) == ["c", "free"])
  }

  @Test func `a damaged child is not deleted and cannot be saved without its parent`() throws {
    var client = try client()
    _ = try client.results([save("p"), attach("c", to: ["p"]), attach("d", to: ["p"])])
    try write("UPDATE record SET checksum = 0 WHERE name = 'c'")
    guard case .deleted(_, let cascaded) = try client.results([delete("p", tag: 1)])[0] else {
      throw RecordsError(.internalError, "It was not deleted.")
    }
    #expect(cascaded.names.map(\.text) == ["d"])
    #expect(try client.page().changes.map(\.kind) == [.deleted, .deleted], "it is withheld")
    let healed = try client.results([attach("c", to: ["p"])])[0].refusal
    #expect(healed?.reason == "parentDeleted")
  }

  @Test func `a damaged parent can be referred to, and its repair deletes no children`() throws {
    do {
      var client = try client()
      _ = try client.results([save("p"), attach("c", to: ["p"])])
      try write("UPDATE record SET checksum = 0 WHERE name = 'p'")
      #expect(try client.results([attach("d", to: ["p"])])[0].refusal == nil)
      try write("UPDATE record SET checksum = 0 WHERE name = 'd'")
    }
    let archive = BrokerArchive(path: path)
    #expect(try archive.repair(at: time(20)).count == 2)
    #expect(try archive.findings() == [])
    var client = try client(2)
    #expect(try client.page().changes.filter { $0.kind == .saved }.map(\.name.text) == ["c"])
    #expect(try client.results([save("p"), attach("d", to: ["p"])]).compactMap(\.refusal).isEmpty)
    _ = try client.modify(
      [.delete(Operation.Delete(name: RecordName(stored: "p"), tag: nil, isForced: true))])
    #expect(try client.seen(among: ["d"]).isEmpty)
  }
}
