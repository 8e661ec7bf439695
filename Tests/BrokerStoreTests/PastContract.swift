// Every store: the retention and expiry of earlier versions.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Earlier versions of records in a store")
struct PastContract {
  private let a = RecordID(zone: .standard, name: RecordName(stored: "a"))

  private func fields(_ text: String) -> Fields { ["note": .string(text)] }

  private func history(_ client: StoreClient, below: Int64? = nil) throws -> HistoryPage {
    try client.store.history(a, below: below.map { Revision($0) }, of: client.identity)
  }

  private func trash(_ client: StoreClient) throws -> TrashPage {
    try client.store.trash(.standard, below: nil, of: client.identity)
  }

  private func forget(_ client: StoreClient, before seconds: Int64) throws {
    while try client.store.transact({
      try $0.expireHistory(AgeCutoff(before: time(seconds)), rowsMaximum: 10)
    }) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `each earlier version is retained with its author and its end`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", fields("1"))], at: time(10))
    #expect(try history(client).states.isEmpty)
    _ = try client.modify([save("a", tag: 1, fields("2"))], at: time(20))
    _ = try client.modify([delete("a", tag: 2)], at: time(30))
    _ = try client.modify([save("a", fields("3"))], at: time(40))
    let page = try history(client)
    #expect(page.isWhole)
    #expect(page.states.map(\.change.tag.value) == [3, 2, 1])
    #expect(page.states.map(\.change.kind) == [.deleted, .saved, .saved])
    #expect(page.states.map(\.superseded) == [time(40), time(30), time(20)])
    #expect(try page.states[1].change.record.fields() == fields("2"))
    #expect(page.states[1].change.modified.time == time(20))
    #expect(page.states[1].change.modified.origin.device == client.identity.device)
    #expect(try history(client, below: 3).states.map(\.change.tag.value) == [2, 1])
  }

  @Test(arguments: StoreKind.allCases)
  func `the latest fifty versions of a record are retained`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for number in 0..<75 {
      _ = try client.modify([save("a", tag: number == 0 ? nil : Int64(number), fields("\(number)"))]
      )
    }
    let tags = try history(client).states.map(\.change.tag.value)
    #expect(tags == (25...74).reversed().map { Int64($0) })
  }

  @Test(arguments: StoreKind.allCases)
  func `N5 versions by one author push out none by another`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    var tag: Int64?
    func saved(_ result: OperationResult?) throws -> Int64 {
      guard case .saved(let tag) = result else {
        throw RecordsError(.internalError, "It was not saved: \(String(describing: result)).")
      }
      return tag.value
    }
    for number in 0..<3 {
      tag = try saved(
        world.ada.modify([save("v", tag: tag, fields("ada \(number)"))], in: world.zone).0.first)
    }
    for number in 0..<70 {
      tag = try saved(
        world.bob.modify([save("v", tag: tag, fields("bob \(number)"))], in: world.zone).0.first)
    }
    var states: [HistoryPage.State] = []
    var page: HistoryPage
    repeat {
      page = try world.ada.store.history(
        RecordID(zone: world.zone, name: RecordName(stored: "v")), below: states.last?.change.tag,
        of: world.ada.identity)
      #expect(page.states.count <= Limits.versionsPerPage)
      states += page.states
    } while !page.isWhole
    let authors = states.map(\.change.modified.origin.account)
    #expect(authors.count { $0 == world.bob.identity.account } == 50)
    #expect(authors.suffix(3) == Array(repeating: world.ada.identity.account, count: 3)[...])
  }

  @Test(arguments: StoreKind.allCases)
  func `large versions are returned in pages`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for number in 0..<6 {
      let text = String(repeating: "\(number)", count: 100_000)
      _ = try client.modify([save("a", tag: number == 0 ? nil : Int64(number), fields(text))])
    }
    let first = try history(client)
    #expect(!first.isWhole)
    let last = try #require(first.states.last).change.tag.value
    let second = try history(client, below: last)
    #expect(second.isWhole)
    #expect((first.states + second.states).map(\.change.tag.value) == [5, 4, 3, 2, 1])
  }

  @Test(arguments: StoreKind.allCases)
  func `the trash lists deleted records, the latest first, with their last version`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", fields("1")), save("b", fields("b")), save("c")])
    _ = try client.modify([delete("a", tag: 1)])
    _ = try client.modify([delete("b", tag: 2)])
    let page = try trash(client)
    #expect(page.items.map(\.tombstone.name.text) == ["b", "a"])
    #expect(page.items.map(\.last.tag.value) == [2, 1])
    #expect(try page.items[1].last.record.fields() == fields("1"))
    #expect(page.next == nil)
    _ = try client.modify([save("a", fields("again"))])
    #expect(try trash(client).items.map(\.tombstone.name.text) == ["b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `an emptied trash is unreadable at once, and its rows are deleted in steps`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", fields("1")), save("b", fields("b"))])
    _ = try client.modify([delete("a", tag: 1), delete("b", tag: 2)])
    _ = try client.modify([save("b", fields("b2"))])
    let (outcome, effects) = try client.modify([.emptyTrash(through: Revision(99))])
    #expect(outcome.groups == [[.trashEmptied]])
    #expect(effects.directories.first?.page.entries.first?.erasedThrough == Revision(5))
    let b = RecordID(zone: .standard, name: RecordName(stored: "b"))
    for _ in 0..<2 {
      #expect(try history(client).states.isEmpty)
      #expect(try trash(client).items.isEmpty)
      #expect(try client.store.history(b, below: nil, of: client.identity).states.isEmpty)
      // The first pass tests that readers see nothing, the second that the rows are deleted.
      try forget(client, before: 0)
    }
    _ = try client.modify([save("a", fields("new"))])
    _ = try client.modify([save("a", tag: 6, fields("newer"))])
    #expect(try history(client).states.map(\.change.tag.value) == [6])
  }

  @Test(arguments: StoreKind.allCases)
  func `emptying the trash does not affect later deletions`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a", fields("1")), save("b", fields("b"))])
    _ = try client.modify([delete("a", tag: 1)])
    _ = try client.modify([delete("b", tag: 2), .emptyTrash(through: Revision(3))])
    try forget(client, before: 0)
    #expect(try trash(client).items.map(\.tombstone.name.text) == ["b"])
    #expect(try client.modify([.emptyTrash(through: Revision(1))]).1.directories.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `versions older than the horizon are deleted in steps`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for number in 0..<30 {
      _ = try client.modify(
        [save("a", tag: number == 0 ? nil : Int64(number), fields("\(number)"))],
        at: time(Int64(100 + number)))
    }
    #expect(
      try client.store.transact {
        try $0.expireHistory(AgeCutoff(before: time(120)), rowsMaximum: 5)
      })
    #expect(try history(client).states.count == 24)
    try forget(client, before: 120)
    #expect(try history(client).states.map(\.superseded).min() == time(120))
  }

  @Test(arguments: StoreKind.allCases)
  func `an account cannot read another's earlier versions`(kind: StoreKind) throws {
    let store = try kind.make()
    var ada = try StoreClient(store)
    let bob = try StoreClient(store, account: "bob", key: [2])
    _ = try ada.modify([save("a", fields("1"))])
    _ = try ada.modify([save("a", tag: 1, fields("2"))])
    let id = RecordID(zone: ada.zone, name: RecordName(stored: "a"))
    #expect(try store.history(id, below: nil, of: bob.identity).states.isEmpty)
    #expect(try store.trash(ada.zone, below: nil, of: bob.identity).items.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `the directory reports a new device and a device's new name`(kind: StoreKind) throws {
    let store = try kind.make()
    let laptop = try StoreClient(store, key: [1])
    #expect(laptop.directory.devices.map(\.id) == [laptop.identity.device])
    var phone = try StoreClient(store, key: [2])
    #expect(
      phone.directory.devices.map(\.id) == [phone.identity.device, laptop.identity.device])
    #expect(phone.directory.devices.map(\.name) == ["laptop", "laptop"])
    let again = try phone.signInAgain(directory: phone.directory.to)
    #expect(again.announcements.isEmpty && again.directory.devices.isEmpty)
  }
}
