import BrokerClientTesting
import Foundation
import OfflineClient
import Processes
import Testing

@testable import shopping_list

@Suite("E3 the shopping list on two devices of an account", .timeLimit(.minutes(5)))
struct ShoppingListTests {
  // MARK: Synchronizing

  @Test func `a list that one device creates without a broker appears on the other`() async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      #expect(try lines(pair.laptop) == ["Saturday", "  [ ] Bread", "  [ ] Milk"])
      #expect(try lines(pair.phone) == [])
      #expect(try pair.laptop.status().pendingEditCount == 3)
      try await pair.connected()
      #expect(try pair.laptop.status().pendingEditCount == 0)
      #expect(try lines(pair.phone) == ["Saturday", "  [ ] Bread", "  [ ] Milk"])
    }
  }

  @Test func `changes of different fields of an item are merged`() async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      try await pair.connected()
      try await ShoppingList.rename("Milk", to: "Oat milk", in: pair.laptop)
      try await finish("Milk", on: pair.phone)
      #expect(try lines(pair.laptop) == ["Saturday", "  [ ] Bread", "  [ ] Oat milk"])
      #expect(try lines(pair.phone) == ["Saturday", "  [ ] Bread", "  [x] Milk"])
      try await pair.connected()
      for device in [pair.laptop, pair.phone] {
        #expect(try lines(device) == ["Saturday", "  [ ] Bread", "  [x] Oat milk"])
        #expect(try device.conflicts() == [])
      }
    }
  }

  @Test func `an observation reports what the other device changes`() async throws {
    try await pair { pair in
      let list = try await createList(on: pair.laptop)
      try await pair.connected {
        let results = try pair.phone.observe(ShoppingList.items(of: list.id))
        var iterator = results.makeAsyncIterator()
        #expect(try await iterator.next()?.map(ShoppingList.describe) == ["[ ] Bread", "[ ] Milk"])
        try await finish("Bread", on: pair.laptop)
        #expect(try await iterator.next()?.map(ShoppingList.describe) == ["[ ] Milk", "[x] Bread"])
      }
    }
  }

  @Test func `watch reports each result once`() async throws {
    try await pair { pair in
      let list = try await createList(on: pair.laptop)
      let (reports, continuation) = AsyncStream.makeStream(of: [String].self)
      let watching = Task {
        try await ShoppingList.watch(list.id, in: pair.laptop) { items in
          continuation.yield(items.map(ShoppingList.describe))
        }
      }
      var iterator = reports.makeAsyncIterator()
      #expect(await iterator.next() == ["[ ] Bread", "[ ] Milk"])
      try await finish("Milk", on: pair.laptop)
      #expect(await iterator.next() == ["[ ] Bread", "[x] Milk"])
      watching.cancel()
      try await watching.value
    }
  }

  @Test func `what is saved without a broker is sent by a later start with one`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("laptop.sqlite")
    let alone = try await ShoppingList.open(file: file, broker: nil, device: "laptop")
    _ = try await createList(on: alone)
    let start = ContinuousClock.now
    let isSynchronized = try await alone.synchronize(waitSeconds: 3600)
    #expect(!isSynchronized && ContinuousClock.now - start < .seconds(60))
    try await alone.close()
    try await LocalBroker.run { broker in
      let laptop = try await ShoppingList.open(
        file: file, broker: broker.address, device: "laptop")
      let phone = try await ShoppingList.open(
        file: directory.file("phone.sqlite"), broker: broker.address, device: "phone")
      for device in [laptop, phone] { try await DevicePair.synchronize(device) }
      #expect(try lines(phone) == ["Saturday", "  [ ] Bread", "  [ ] Milk"])
      try await laptop.close()
      try await phone.close()
    }
  }

  // MARK: Conflicts

  @Test func `a field that both devices changed is a conflict on both, until one resolves it`()
    async throws
  {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      try await pair.connected()
      try await ShoppingList.rename("Milk", to: "Oat milk", in: pair.laptop)
      try await ShoppingList.rename("Milk", to: "Soy milk", in: pair.phone)
      try await pair.connected {
        #expect(try pair.laptop.conflicts().count == 1)
        #expect(try pair.phone.conflicts().count == 1)
        let (mine, theirs) = (
          "here “Oat milk”, elsewhere “Soy milk”", "here “Soy milk”, elsewhere “Oat milk”"
        )
        #expect(try ShoppingList.describeConflicts(in: pair.laptop)[0].hasSuffix(mine))
        #expect(try ShoppingList.describeConflicts(in: pair.phone)[0].hasSuffix(theirs))
        try await ShoppingList.keepMine(in: pair.phone)
        try await pair.exchange()
        try await pair.exchange()
      }
      for device in [pair.laptop, pair.phone] {
        #expect(try device.conflicts() == [])
        #expect(try lines(device) == ["Saturday", "  [ ] Bread", "  [ ] Soy milk"])
      }
    }
  }

  @Test func `a conflict is resolved without a broker`() async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      try await pair.connected()
      try await ShoppingList.rename("Milk", to: "Oat milk", in: pair.laptop)
      try await ShoppingList.rename("Milk", to: "Soy milk", in: pair.phone)
      try await pair.connected()
      try await ShoppingList.keepMine(in: pair.laptop)
      #expect(try pair.laptop.conflicts() == [])
      try await pair.connected()
      for device in [pair.laptop, pair.phone] {
        #expect(try device.conflicts() == [])
        #expect(try lines(device) == ["Saturday", "  [ ] Bread", "  [ ] Oat milk"])
      }
    }
  }

  // MARK: Photos, undo, deletion

  @Test(arguments: [100, 3 << 20])
  func `a photo that is added without a broker arrives whole`(byteCount: Int) async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      let photo = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let milk = try ShoppingList.item(titled: "Milk", in: pair.laptop)
      try await ShoppingList.setPhoto(photo, of: milk.id, in: pair.laptop)
      #expect(try await ShoppingList.photo(of: milk.id, in: pair.laptop) == photo)
      try await pair.connected {
        let received = try await ShoppingList.photo(of: milk.id, in: pair.phone)
        #expect(received == photo)
      }
      // What was read once is on the device.
      #expect(try await ShoppingList.photo(of: milk.id, in: pair.phone) == photo)
    }
  }

  @Test func `undo takes back the last change of this device, and of no other`() async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      try await pair.connected()
      try await ShoppingList.rename("Milk", to: "Oat milk", in: pair.laptop)
      try await finish("Bread", on: pair.phone)
      try await pair.connected()
      let undone = try await ShoppingList.undo(in: pair.laptop)
      #expect(undone == "Undone: “Oat milk”.")
      try await pair.connected()
      for device in [pair.laptop, pair.phone] {
        #expect(try lines(device) == ["Saturday", "  [ ] Milk", "  [x] Bread"])
      }
      #expect(try await ShoppingList.undo(in: pair.phone) == "Undone: “Bread”.")
      let error = await #expect(throws: RecordsError.self) {
        _ = try await ShoppingList.undo(in: pair.phone)
      }
      #expect(error?.code == .unknownItem)
    }
  }

  @Test func `undo leaves what the other device changed since`() async throws {
    try await pair { pair in
      _ = try await createList(on: pair.laptop)
      try await ShoppingList.rename("Milk", to: "Oat milk", in: pair.laptop)
      try await pair.connected()
      try await ShoppingList.rename("Oat milk", to: "Soy milk", in: pair.phone)
      try await pair.connected()
      let answer = try await ShoppingList.undo(in: pair.laptop)
      #expect(answer.hasPrefix("Nothing undone: "))
      #expect(try lines(pair.laptop) == ["Saturday", "  [ ] Bread", "  [ ] Soy milk"])
      #expect(try pair.laptop.actions().map(\.isUndone) == [false, false])
    }
  }

  @Test func `a list is deleted with its items without a broker, and undo restores both`()
    async throws
  {
    try await pair { pair in
      let list = try await createList(on: pair.laptop)
      try await pair.connected()
      try await ShoppingList.deleteList(list.id, in: pair.phone)
      #expect(try titles(pair.phone) == [])
      try await pair.connected()
      #expect(try titles(pair.laptop) == [])
      _ = try await ShoppingList.undo(in: pair.phone)
      try await pair.connected()
      for device in [pair.laptop, pair.phone] {
        #expect(try lines(device) == ["Saturday", "  [ ] Bread", "  [ ] Milk"])
        #expect(try device.rejectedEdits() == [])
      }
    }
  }

  @Test func `an item that is added to a list while another device deletes the list goes with it`()
    async throws
  {
    try await pair { pair in
      let list = try await createList(on: pair.laptop)
      _ = try await ShoppingList.createList("Sunday", items: ["Cake"], in: pair.laptop)
      try await pair.connected()
      try await ShoppingList.add(["Eggs"], to: list.id, in: pair.phone)
      try await ShoppingList.deleteList(list.id, in: pair.laptop)
      try await pair.connected()
      for device in [pair.laptop, pair.phone] { #expect(try titles(device) == ["Cake"]) }
    }
  }

  // MARK: Tutorial

  @Test func `the tutorial's test passes`() async throws {
    let directory = try TemporaryDirectory()
    try await LocalBroker.run { broker in
      let laptop = try await ShoppingList.open(
        file: directory.file("laptop.sqlite"), broker: broker.address, device: "laptop")
      let phone = try await ShoppingList.open(
        file: directory.file("phone.sqlite"), broker: broker.address, device: "phone")
      let list = try await ShoppingList.createList("Saturday", items: ["Bread"], in: laptop)
      #expect(try await laptop.synchronize())
      #expect(try await phone.synchronize())
      let items = try phone.records(matching: ShoppingList.items(of: list.id))
      #expect(items.map { $0["title"] } == ["Bread"])
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `the tutorial shows the compiled program`() throws {
    let page = try ShownProgram(page: "Sources/OfflineClient/OfflineClient.docc/ShoppingList.md")
    #expect(page.blocks.count == 13)
    let files = [
      "examples/ShoppingList/ShoppingList.swift", "examples/ShoppingList/ShoppingListOutput.swift",
      "Tests/ExampleTests/ShoppingListTests.swift",
    ]
    #expect(try page.linesMissing(in: files, of: page.blocks) == [])
  }

  // MARK: Devices

  private func pair(_ body: (DevicePair) async throws -> Void) async throws {
    try await DevicePair.with(
      open: { try await ShoppingList.open(file: $0, broker: $1, device: $2) }, body)
  }

  private func createList(on device: OfflineContainer) async throws -> Record {
    try await ShoppingList.createList("Saturday", items: ["Bread", "Milk"], in: device)
  }

  private func finish(_ title: String, on device: OfflineContainer) async throws {
    let item = try ShoppingList.item(titled: title, in: device)
    try await ShoppingList.finish(item.id, in: device)
  }

  /// The titles of all items, also of those whose list is not here.
  private func titles(_ device: OfflineContainer) throws -> [String] {
    try device.records(matching: Query(recordType: "Item")).compactMap { $0["title"]?.string }
  }

  private func lines(_ device: OfflineContainer) throws -> [String] {
    try ShoppingList.describeLists(in: device)
  }
}
