import DeviceStore
import Foundation
import GRDB
import Predicates
import RecordQueries
import Records
import SyncCore
import Testing

@Suite("K5 queries on a device")
struct LocalQueryTests {
  private static let bob = AccountID(0xB0B)
  private static let now = QueryDevice.now

  // MARK: What is found

  @Test(arguments: [true, false])
  func `pages continue after their cursor, with and without indexes`(hasIndexes: Bool) throws {
    let device = try QueryDevice(["Item.age"], hasIndexes: hasIndexes)
    try device.saveNumbered(10)
    let query = try RecordQuery(
      type: QueryDevice.item, predicate: Predicate("age BETWEEN {1, 8}"),
      sort: [SortKey(.field("age"), isAscending: false)], limit: 3)
    let first = try device.page(query)
    try device.delete("r1005")
    let second = try device.page(query, after: first.cursor)
    let third = try device.page(query, after: second.cursor)
    #expect(first.records.map(\.id.name.text) == ["r1008", "r1007", "r1006"])
    #expect(second.records.map(\.id.name.text) == ["r1004", "r1003", "r1002"])
    #expect(third.records.map(\.id.name.text) == ["r1001"] && third.cursor == nil)
  }

  @Test(arguments: [20, 700])
  func `the records of a zone are found in the order of their names, however many there are`(
    count: Int
  ) throws {
    let device = try QueryDevice()
    let zone = ZoneID(name: ZoneName(9))
    _ = try device.replica.edit([.createZone(zone, title: "Other")], now: Self.now)
    try device.saveNumbered(700)
    // The names are those of the standard zone, and the last ones are saved first.
    let names = (0..<count).map { "r\(1_000 + $0)" }
    for start in stride(from: count - 10, through: 0, by: -10) {
      try device.save(Array(names[start..<start + 10]), in: zone)
    }
    let query = try RecordQuery(
      type: QueryDevice.item, zone: zone, predicate: Predicate("TRUEPREDICATE"), limit: 100)
    var page = try device.page(query)
    var found = page.records
    while let cursor = page.cursor {
      page = try device.page(query, after: cursor)
      found += page.records
    }
    #expect(found.map(\.id) == names.map { RecordID(zone: zone, name: RecordName(stored: $0)) })
  }

  @Test func `a page has the views of the records, with the desired keys`() throws {
    let device = try QueryDevice()
    try device.save(["a"]) { _ in ["age": .int64(1), "name": .string("x")] }
    let query = try RecordQuery(
      type: QueryDevice.item, predicate: Predicate("age == 1"), desiredKeys: ["name", "absent"])
    let found = try device.page(query).records
    let view = try device.reader.record(RecordID(zone: .standard, name: RecordName(stored: "a")))
    #expect(found == [try #require(view).selecting(["name"])])
    #expect(found.map(\.fields) == [["name": .string("x")]])
    #expect(found.map(\.isSynced) == [false])
  }

  @Test
  func `an unsent record was created and changed by this account, at the time of this device`()
    throws
  {
    let device = try QueryDevice(["Item.modificationDate"])
    let later = Self.now.adding(seconds: 60)
    try device.save(["a", "b"]) { _ in ["age": .int64(1)] }
    try device.save(["b"], at: later) { _ in ["age": .int64(2)] }
    try device.fill()
    func date(_ time: Timestamp) -> String { "date(\(time.microseconds))" }
    #expect(try device.names("creationDate == \(date(Self.now))") == ["a", "b"])
    #expect(try device.names("modificationDate == \(date(later))") == ["b"])
    let nameless = "creatorUserRecordID == '\(AccountID.current)'"
    #expect(try device.names(nameless) == ["a", "b"])
    try device.replica.write(Self.now) { transaction in
      try transaction.db.execute(
        sql: "UPDATE identity SET account = ?", arguments: [AccountID(0xADA).column])
    }
    #expect(try device.names(nameless).isEmpty)
    #expect(try device.names("lastModifiedUserRecordID == '\(AccountID(0xADA))'") == ["a", "b"])
  }

  @Test func `conflicts, marks, deleted records and held deletions are not found`() throws {
    let device = try QueryDevice(["Conflict.record", "Item.age"])
    try device.saveNumbered(3)
    try device.fill()
    try device.delete("r1000")
    try device.delete("r1001", isAsked: false)
    try device.replica.write(Self.now) { transaction in
      try transaction.db.execute(sql: "UPDATE outbox SET held = 1 WHERE deletion = 1")
      for type in [ConflictRecord.recordType, FirstRecords.markerType] {
        try transaction.db.execute(
          sql: """
            INSERT INTO record (zone, name, type, shown, local_created, local_modified, version)
            SELECT zone, '\(type.text)', '\(type.text)', shown, 0, 0, 0 FROM record
            WHERE name = 'r1002'
            """)
      }
    }
    #expect(try device.names() == ["r1002"])
    #expect(try device.names("age >= 0") == ["r1002"])
    for type in [ConflictRecord.recordType, FirstRecords.markerType] {
      let query = try RecordQuery(type: type, predicate: .constant(true))
      #expect(try device.page(query).records.isEmpty)
    }
  }

  @Test func `a transaction finds what it has written, and other readers do not yet`() throws {
    let device = try QueryDevice(["Item.age"])
    try device.fill()
    let query = try RecordQuery(type: QueryDevice.item, predicate: Predicate("age == 7"))
    nonisolated(unsafe) var found: [[String]] = []
    device.onChange { _, transaction in
      let page = try transaction.records(matching: query, clock: QueryDevice.clock)
      found.append(page.records.map(\.id.name.text))
    }
    try device.save(["a", "b"]) { _ in ["age": .int64(7)] }
    #expect(found == [["a"], ["a", "b"]])
    device.onChange { _, _ in throw RecordsError(.internalError, "The application fails.") }
    #expect(throws: RecordsError.self) { try device.save(["c"]) { _ in ["age": .int64(7)] } }
    #expect(try device.page(query).records.map(\.id.name.text) == ["a", "b"])
    #expect(try device.reader.findings() == [])
  }

  // MARK: Databases and zones

  @Test func `a query reads the zones of its database`() throws {
    let device = try QueryDevice(["Item.age"], publicTypes: [QueryDevice.item])
    let own = ZoneID(name: ZoneName(7))
    let shared = ZoneID(owner: Self.bob, name: ZoneName(7))
    _ = try device.replica.edit([.createZone(own, title: "Own")], now: Self.now)
    try device.add(shared)
    for (name, zone) in [("a", ZoneID.standard), ("b", own), ("c", shared), ("d", .public)] {
      try device.save([name], in: zone) { _ in ["age": .int64(1)] }
    }
    for isFilled in [false, true] {
      if isFilled { try device.fill() }
      #expect(try device.names("age == 1") == ["a", "b"])
      #expect(try device.names("age == 1", zone: own) == ["b"])
      #expect(try device.names("age == 1", database: .shared) == ["c"])
      #expect(try device.names("age == 1", database: .shared, zone: shared) == ["c"])
      #expect(try device.names("age == 1", database: .public) == ["d"])
      #expect(try device.names("age == 1", database: .public, zone: .public) == ["d"])
    }
  }

  @Test func `a zone that the database does not have is not found`() throws {
    let device = try QueryDevice(publicTypes: [QueryDevice.item])
    let shared = ZoneID(owner: Self.bob, name: ZoneName(7))
    try device.add(shared)
    let wrong: [(DatabaseScope, ZoneID)] = [
      (.private, ZoneID(name: ZoneName(9))), (.private, shared), (.shared, .standard),
      (.private, .public), (.public, .standard),
    ]
    for (database, zone) in wrong {
      let error = #expect(throws: RecordsError.self) {
        try device.names(database: database, zone: zone)
      }
      #expect(error?.code == .zoneNotFound && error?.field == "zone")
    }
  }

  @Test func `an account may name its own zones by its id`() throws {
    let device = try QueryDevice()
    try device.save(["a"])
    try device.replica.write(Self.now) { transaction in
      try transaction.db.execute(
        sql: "UPDATE identity SET account = ?", arguments: [AccountID(0xADA).column])
    }
    let own = ZoneID.standard.resolved(for: AccountID(0xADA))
    #expect(try device.names(zone: own) == ["a"])
  }

  // MARK: Refusals

  @Test func `a type of the public database that the device does not read is refused`() throws {
    let device = try QueryDevice(publicTypes: [RecordType(stored: "Post")])
    let error = #expect(throws: RecordsError.self) { try device.names(database: .public) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message == "This device does not read Item records of the public database.")
  }

  @Test func `the cursor of another query is refused`() throws {
    let device = try QueryDevice()
    try device.saveNumbered(3)
    let query = try RecordQuery(type: QueryDevice.item, predicate: .constant(true), limit: 1)
    let other = try RecordQuery(
      type: QueryDevice.item, predicate: .constant(true), sort: [SortKey(.field("age"))])
    let cursor = try device.page(query).cursor
    let error = #expect(throws: RecordsError.self) { try device.page(other, after: cursor) }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `a page that takes too long is refused, and its transaction continues`() throws {
    let device = try QueryDevice()
    try device.saveNumbered(100)
    let query = try RecordQuery(type: QueryDevice.item, predicate: Predicate("age == 1"))
    let overdue = QueryClock(now: Self.now) { true }
    let error = #expect(throws: RecordsError.self) {
      try device.reader.records(matching: query, clock: overdue)
    }
    #expect(error?.code == .limitExceeded && error?.reason == "tooSlow")
    #expect(error?.message == "The query takes longer than the limit of 2 seconds.")
    device.onChange { _, transaction in
      #expect(throws: RecordsError.self) {
        try transaction.records(matching: query, clock: overdue)
      }
    }
    try device.save(["new"]) { _ in ["age": .int64(1)] }
    #expect(try device.page(query).records.map(\.id.name.text) == ["new", "r1001"])
  }

  @Test func `a query ends in time also while SQL skips records of other types`() throws {
    let device = try QueryDevice()
    try device.saveNumbered(5_000)
    let query = try RecordQuery(type: RecordType(stored: "Other"), predicate: .constant(true))
    nonisolated(unsafe) var looks = 0
    let clock = QueryClock(now: Self.now) {
      looks += 1
      return looks > 2
    }
    let error = #expect(throws: RecordsError.self) {
      try device.reader.records(matching: query, clock: clock)
    }
    #expect(error?.reason == "tooSlow" && looks == 3)
  }

  @Test func `a record on which the predicate takes too long is left out and counted`() throws {
    let device = try QueryDevice()
    try device.save(["a"]) { _ in ["x": .string("b")] }
    try device.save(["b"]) { _ in ["x": .string(String(repeating: "a", count: 100_000))] }
    let pattern = "*" + String(repeating: "a", count: 3000) + "b*"
    let query = try RecordQuery(
      type: QueryDevice.item, predicate: Predicate("x LIKE '\(pattern)' OR x == 'b'"))
    let page = try device.page(query)
    #expect(page.records.map(\.id.name.text) == ["a"] && page.skipped == 1)
  }
}

extension QueryDevice {
  /// Another account's zone appears, in which this account may write.
  fileprivate func add(_ zone: ZoneID) throws {
    try replica.write(Self.now) { transaction in
      try transaction.db.execute(
        sql: """
          INSERT INTO zone (owner, name, title, role, writable, state, owner_name, shared)
          VALUES (?, ?, 'Shared', ?, 1, 0, 'bob', 1)
          """,
        arguments: [
          zone.owner.column, zone.name.column, Int(DirectoryEntry.Role.member.rawValue),
        ])
    }
  }
}
