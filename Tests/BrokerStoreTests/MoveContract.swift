// Every store: the ids of moves.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Z1, I9 moves on the broker")
struct MoveContract {
  private func leave(
    _ name: String, tag: Int64?, _ move: UInt128, isForced: Bool = false
  ) -> Operation {
    .delete(
      Operation.Delete(
        name: RecordName(stored: name), tag: tag.map { Revision($0) }, isForced: isForced,
        move: MoveID(move)))
  }

  private func result(
    _ client: inout StoreClient, _ operation: Operation
  ) throws -> OperationResult {
    try #require(try client.modify([operation]).0.groups.first?.first)
  }

  @Test(arguments: StoreKind.allCases)
  func `a tombstone carries its move in the feed and in a fetch`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", ["x": .int64(1)]), save("b")])
    let (_, effects) = try client.modify([leave("a", tag: 1, 77), delete("b", tag: 2)])
    #expect(effects.zones.first?.changes.map(\.move) == [MoveID(77), nil])
    let page = try client.page()
    #expect(page.changes.map(\.move) == [MoveID(77), nil])
    #expect(page.changes.allSatisfy { $0.kind == .deleted && $0.record == .empty })
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    #expect(try client.store.fetch([id], of: client.identity)[0]?.move == MoveID(77))
  }

  @Test(arguments: StoreKind.allCases)
  func `the second of two moves is rejected with the first one's tombstone`(kind: StoreKind) throws
  {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    #expect(try result(&client, leave("a", tag: 1, 77)) == .deleted(tag: Revision(2)))
    let second = try result(&client, leave("a", tag: 1, 78))
    guard case .failed(let error, let tombstone) = second else {
      Issue.record("Two moves of one record both succeeded.")
      return
    }
    #expect(error.code == .serverRecordChanged)
    #expect(tombstone?.move == MoveID(77))
    #expect(tombstone?.tag == Revision(2))
  }

  @Test(arguments: StoreKind.allCases)
  func `repeating a move, or deleting a moved record, succeeds`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a"), save("b")])
    _ = try client.modify([leave("a", tag: 1, 77), delete("b", tag: 2)])
    #expect(try result(&client, leave("a", tag: 1, 77)) == .deleted(tag: nil))
    #expect(try result(&client, delete("a", tag: 1)) == .deleted(tag: nil))
    #expect(try result(&client, leave("a", tag: nil, 78, isForced: true)) == .deleted(tag: nil))
  }

  @Test(arguments: StoreKind.allCases)
  func `moving a record that was deleted meanwhile adds the move's id to the tombstone`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", ["x": .int64(1)])])
    _ = try client.modify([delete("a", tag: 1)])
    #expect(try result(&client, leave("a", tag: 1, 77)) == .deleted(tag: Revision(3)))
    let page = try client.page()
    #expect(page.changes.map(\.move) == [MoveID(77)] && page.changes.map(\.kind) == [.deleted])
    #expect(try result(&client, leave("a", tag: 1, 77)) == .deleted(tag: nil))
    guard case .failed(_, let tombstone) = try result(&client, leave("a", tag: 2, 78)) else {
      Issue.record("Two moves of one record both succeeded.")
      return
    }
    #expect(tombstone?.move == MoveID(77))
    let trash = try client.store.trash(.standard, below: nil, of: client.identity)
    #expect(try trash.items.map { try $0.last.record.fields() } == [["x": .int64(1)]])
  }

  @Test(arguments: StoreKind.allCases)
  func `moving a record that the broker does not have leaves a tombstone`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    #expect(try result(&client, leave("a", tag: 7, 77)) == .deleted(tag: Revision(1)))
    #expect(try client.page().changes.map(\.move) == [MoveID(77)])
    #expect(try result(&client, leave("a", tag: 7, 77)) == .deleted(tag: nil))
    guard case .failed(_, let tombstone) = try result(&client, leave("a", tag: 7, 78)) else {
      Issue.record("Two moves of one record both succeeded.")
      return
    }
    #expect(tombstone?.move == MoveID(77))
    #expect(try client.store.trash(.standard, below: nil, of: client.identity).items.isEmpty)
    #expect(try result(&client, save("a", ["x": .int64(1)])) == .saved(tag: Revision(2)))
    #expect(try client.page().changes.map(\.type.text) == ["Contact"])
  }

  @Test(arguments: StoreKind.allCases)
  func `adding a move's id to a tombstone restores nothing that was erased`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", ["x": .int64(1)])])
    _ = try client.modify([delete("a", tag: 1)])
    _ = try client.modify([.emptyTrash(through: Revision(2))])
    _ = try client.modify([leave("a", tag: 1, 77)])
    #expect(try client.store.trash(.standard, below: nil, of: client.identity).items.isEmpty)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    let states = try client.store.history(id, below: nil, of: client.identity).states
    #expect(states.allSatisfy { $0.change.record == .empty })
  }

  @Test(arguments: StoreKind.allCases)
  func `a record that is restored and deleted again has no move`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    _ = try client.modify([leave("a", tag: 1, 77)])
    _ = try client.modify([save("a", ["x": .int64(1)])])
    #expect(try client.page().changes.map(\.move) == [nil])
    _ = try client.modify([delete("a", tag: 3)])
    #expect(try client.page().changes.map(\.move) == [nil])
  }
}
