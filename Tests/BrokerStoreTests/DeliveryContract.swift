// Every store: the backlogs of offline devices. Notifications are archived, collapsed, replaced and
// discarded.

import BrokerCore
import BrokerStore
import FoundationEssentials
import GRDB
import Records
import TestTiers
import Testing

@Suite("B2, I10, I16, I18 delivery contract")
struct DeliveryContract {
  private func write(_ world: inout ToldWorld, _ names: [String]) throws {
    for start in stride(from: 0, to: names.count, by: 400) {
      _ = try world.writer.modify(names[start..<min(start + 400, names.count)].map { save($0) })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an offline device finds all notifications in order, archived or not`(kind: StoreKind) throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try write(&world, (0..<100).map { "a\($0)" })
    try world.reader.sweep()
    try write(&world, (0..<100).map { "b\($0)" })
    try world.reader.sweep()
    try write(&world, (0..<100).map { "c\($0)" })
    let expected = ["a", "b", "c"].flatMap { group in (0..<100).map { "s created \(group)\($0)" } }
    #expect(try world.told() == expected)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a notification for thousands of devices is archived in steps and reaches all`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var writer = try StoreClient(store, key: [0])
    var readers: [(client: StoreClient, start: NotificationStart)] = []
    for index in 0..<BrokerLimits.entriesArchivedPerStep + 200 {
      var client = try StoreClient(store, key: [1, UInt8(index >> 8), UInt8(index & 255)])
      readers.append((client, try client.follow()))
    }
    try writer.subscribe(query("TRUEPREDICATE"))
    _ = try writer.modify([save("a")])
    _ = try writer.modify([save("b")])
    let step = MaintenanceStep.notifications(NotificationCleanup(acknowledged: [:], through: nil))
    for isMore in [true, true, false] {
      for place in [0, 1, readers.count / 2, readers.count - 1] {
        let told = try readers[place].client.told(behind: readers[place].start).notifications
        #expect(told.map(\.record.name.text) == ["a", "b"])
        #expect(told.map(\.predecessor.value) == [0, 1])
      }
      let report = try writer.committer.report(of: step, at: time(3))
      #expect(report.continuation == (isMore ? .nextStep : .finished))
    }
    let acknowledged = Dictionary(
      uniqueKeysWithValues: readers.map { ($0.start.receiver, Int64(2)) })
    try writer.sweep(acknowledged)
    #expect(try readers[7].client.told(behind: readers[7].start).notifications.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `acknowledged notifications are deleted by the sweep and at the next connection`(
    kind: StoreKind
  )
    throws
  {
    var world = try ToldWorld(kind)
    var third = try StoreClient(world.reader.store, key: [3])
    let other = try third.follow()
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try write(&world, (0..<10).map { "a\($0)" })
    let numbers = try world.reader.told(behind: world.start).notifications.map(\.number.value)
    try world.reader.sweep([world.start.receiver: numbers[3]])
    let again = try world.reader.follow(from: numbers[2])
    #expect(again.position.value == numbers[3])
    #expect(again.predecessor.value == numbers[3], "what it lost shows as a gap")
    let start = try world.reader.follow(from: numbers[6])
    #expect(
      try world.reader.told(behind: start).notifications.map(\.number.value) == Array(numbers[7...])
    )
    #expect(try third.told(behind: other).notifications.count == 10)
    _ = try world.reader.follow(from: numbers[9])
    _ = try third.follow(from: numbers[9])
    try third.sweep()
    #expect(try third.told(behind: other).notifications.isEmpty, "nobody needs them")
    #expect(try world.told() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `beyond the limit new notifications are collapsed, with their count and start`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try write(&world, (0..<1500).map { "a\($0)" })
    try world.reader.sweep()
    try write(&world, (0..<100).map { "b\($0)" })
    try world.reader.sweep()
    let waiting = try world.reader.told(behind: world.start).notifications
    #expect(waiting.map(\.record.name.text) == (0..<1000).map { "a\($0)" })
    let last = try #require(waiting.last?.number.value)
    #expect(
      try world.reader.sweep([world.start.receiver: waiting[499].number.value]) == [
        world.start.receiver
      ])
    try write(&world, ["after"])
    let start = NotificationStart(
      receiver: world.start.receiver, position: NotificationNumber(last),
      predecessor: NotificationNumber(last))
    let (told, collapsed) = try world.reader.told(behind: start)
    #expect(collapsed.count == 1)
    let fold = try #require(collapsed.first)
    #expect(fold.count == 600 && fold.first.value == last + 1 && fold.last.value == last + 600)
    #expect(fold.zones.map(\.zone) == [world.reader.zone])
    #expect(fold.zones.first?.token?.revision == Revision(1000))
    #expect(told.map(\.record.name.text) == ["after"])
    #expect(told.first?.predecessor == fold.last)
    try world.reader.sweep([world.start.receiver: try #require(told.last).number.value])
    #expect(try world.told() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `of pending notifications with one collapse key only the latest remains`(kind: StoreKind)
    throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE", id: "keyed") { $0.collapseKey = "k" })
    try world.reader.subscribe(query("x == 1", id: "plain"))
    for index in 0..<6 {
      _ = try world.writer.modify([save("a\(index)", ["x": .int64(Int64(index % 2))])])
      if index == 2 { try world.reader.sweep() }
    }
    #expect(
      try world.told() == [
        "plain created a1", "plain created a3", "keyed created a5", "plain created a5",
      ])
    try world.reader.sweep()
    #expect(try world.told().count == 4)
    let told = try world.reader.told(behind: world.start).notifications
    for (before, after) in zip(told, told.dropFirst()) {
      #expect(after.predecessor == before.number, "what was replaced is no gap")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a device offline for too long loses its backlog and must resynchronize`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try world.reader.subscribe(
      query("TRUEPREDICATE", id: "own", device: world.writer.identity.device, echo: true))
    try write(&world, ["a"])
    try world.reader.sweep()
    #expect(try world.reader.store.transact { try $0.expireBacklogs(before: time(1)) } == false)
    #expect(try world.told() == ["s created a"], "not that long")
    _ = try world.reader.store.transact { try $0.expireBacklogs(before: time(9)) }
    #expect(try world.told() == [])
    try write(&world, ["b"])
    let start = try world.reader.follow()
    let (told, collapsed) = try world.reader.told(behind: start)
    #expect(told.isEmpty && collapsed.map(\.subscription.text) == ["s"])
    #expect(collapsed.first?.count == 0, "nobody counted")
    try write(&world, ["c"])
    #expect(try world.reader.told(behind: start).notifications.map(\.record.name.text) == ["c"])
  }

  @Test(arguments: StoreKind.allCases)
  func `I23: a position above all numbers proves a lost history and raises the numbers`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try write(&world, ["a"])
    let start = try world.reader.follow(from: 1000)
    let (told, collapsed) = try world.reader.told(behind: start)
    #expect(told.isEmpty && collapsed.map(\.subscription.text) == ["s"])
    #expect(try #require(collapsed.first).last.value > 1000)
    try write(&world, ["b"])
    let next = try world.reader.told(behind: start).notifications
    #expect(next.map(\.record.name.text) == ["b"] && next[0].number.value > 1001)
  }

  @Test(arguments: StoreKind.allCases)
  func `a device that never followed has no backlog`(kind: StoreKind) throws {
    let store = try kind.make()
    var writer = try StoreClient(store, key: [1])
    var silent = try StoreClient(store, key: [2])
    try writer.subscribe(query("TRUEPREDICATE"))
    let (_, effects) = try writer.modify([save("a")])
    #expect(effects.notified.isEmpty)
    let start = try silent.follow()
    let (_, later) = try writer.modify([save("b")])
    #expect(later.notified.map(\.receivers) == [[start.receiver]])
    #expect(try silent.told(behind: start).notifications.map(\.record.name.text) == ["b"])
  }

  @Test func `subscriptions, backlogs and numbers survive a restart`() throws {
    let path = try StoreKind.newPath()
    var identity: SessionIdentity?
    var first: [ChangeNotification] = []
    do {
      var world = try ToldWorld(SQLiteRecordStore(path: path))
      identity = world.reader.identity
      try world.reader.subscribe(query("x == 1") { $0.title = "{name}" })
      _ = try world.writer.modify([save("a", ["x": .int64(1), "name": .string("Ada")])])
      first = try world.reader.told(behind: world.start).notifications
    }
    let store = try SQLiteRecordStore(path: path)
    var writer = try StoreClient(store, key: [7])
    var reader = try StoreClient(store, key: [2], device: identity?.device)
    _ = try writer.modify([save("b", ["x": .int64(1)]), save("c")])
    let start = try reader.follow()
    let told = try reader.told(behind: start).notifications
    #expect(told.first == first.first)
    #expect(told.map(\.record.name.text) == ["a", "b"])
    #expect(told[1].number > told[0].number)
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting a subscription frees its backlog, and delivery of the others resumes`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE", id: "noisy"))
    try write(&world, (0..<1100).map { "a\($0)" })
    try world.reader.sweep()
    try world.reader.subscribe(query("TRUEPREDICATE", id: "quiet"))
    let effects = try world.reader.store.transact {
      try $0.delete(SubscriptionID(stored: "noisy"), of: world.reader.identity)
    }
    #expect(effects.resumed == [world.start.receiver], "who listens is to look again")
    try write(&world, ["b"])
    try world.reader.sweep()
    #expect(try world.told() == ["quiet created b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a device that claims unassigned numbers is rejected, and other devices continue`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    #expect(throws: RecordsError.self) { _ = try world.writer.follow(from: 1 << 61) }
    let ahead = try world.writer.follow(from: 1 << 32)
    #expect(ahead.position.value >= 1 << 32, "a restored broker is behind its devices")
    try write(&world, ["a"])
    let start = try world.reader.follow(from: 0)
    #expect(try world.reader.told(behind: start).notifications.map(\.record.name.text) == ["a"])
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a change with very many firings fits a page, with the excess marked as pruned`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    for index in 0..<300 {
      try world.reader.subscribe(
        query("TRUEPREDICATE", id: "s\(index)") {
          $0.title = "{note}"
          $0.desiredKeys = [FieldKey(stored: "note")]
        })
    }
    _ = try world.writer.modify([
      save("a", ["note": .string(String(repeating: "x", count: 15_000))])
    ])
    let told = try world.reader.told(behind: world.start).notifications
    let firings = try #require(told.first).firings
    #expect(firings.count == 300)
    #expect(firings.first?.isPruned == false && firings.last?.isPruned == true)
    #expect(firings.reduce(0) { $0 + $1.weight } < Limits.frameBytes / 4)
  }

  @Test func `the subscriptions of a revoked device are deleted and it is not notified`() throws {
    let path = try StoreKind.newPath()
    var world = try ToldWorld(SQLiteRecordStore(path: path))
    try world.reader.subscribe(
      query("TRUEPREDICATE", id: "own", device: world.reader.identity.device))
    try world.writer.subscribe(query("TRUEPREDICATE", id: "all"))
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(
        sql: "UPDATE device SET is_revoked = 1 WHERE key = ?",
        arguments: [world.reader.identity.deviceKey])
    }
    try queue.close()
    _ = try world.reader.store.transact { try $0.expireBacklogs(before: time(0)) }
    #expect(try world.writer.listed() == ["all"])
    let (_, effects) = try world.writer.modify([save("a")])
    #expect(effects.notified.isEmpty)
  }
}
