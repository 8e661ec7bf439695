import DeviceStore
import GRDB
import Predicates
import RecordQueries
import Records
import Synchronization
import Testing

@Suite("K5 declared indexes of a device")
struct RecordIndexTests {
  /// Whether a query on `age` reads few of a thousand records. Its clock expires after a page that reads more.
  private func isQuick(_ device: QueryDevice, _ predicate: String = "age BETWEEN {500, 509}")
    throws -> Bool
  {
    let query = try RecordQuery(type: QueryDevice.item, predicate: Predicate(predicate))
    let looks = Mutex(0)
    let clock = QueryClock(now: QueryDevice.now) {
      looks.withLock { looks in
        looks += 1
        return looks > 1
      }
    }
    do {
      return try device.reader.records(matching: query, clock: clock).records.count == 10
    } catch let error as RecordsError where error.reason == "tooSlow" {
      return false
    }
  }

  @Test func `a query on an indexed field reads no other records, once the index is complete`()
    throws
  {
    let device = try QueryDevice()
    try device.saveNumbered(1_000)
    #expect(try !isQuick(device))
    try device.restart(["Item.age"])
    #expect(device.replica.hasProjectionWork)
    #expect(try device.replica.advanceProjections(rowsMaximum: 999, now: QueryDevice.now))
    #expect(try !isQuick(device))
    #expect(try !device.replica.advanceProjections(rowsMaximum: 999, now: QueryDevice.now))
    #expect(!device.replica.hasProjectionWork)
    #expect(try isQuick(device))
  }

  @Test func `filling goes on after a restart, and records that change meanwhile are in once`()
    throws
  {
    let device = try QueryDevice()
    try device.saveNumbered(1_000)
    try device.restart(["Item.age"])
    try device.replica.advanceProjections(rowsMaximum: 600, now: QueryDevice.now)
    try device.save(["r1100", "r1900", "new"]) { _ in ["age": .int64(505)] }
    try device.delete("r1101")
    try device.delete("r1901")
    try device.restart(["Item.age"])
    var steps = 0
    while try device.replica.advanceProjections(rowsMaximum: 100, now: QueryDevice.now) {
      steps += 1
    }
    #expect(steps == 4)
    #expect(try device.reader.findings() == [])
    #expect(try device.count("record_key") == 999)
    #expect(try device.names("age == 505") == ["new", "r1100", "r1505", "r1900"])
  }

  @Test func `a dropped index is not used, and its rows are deleted in steps`() throws {
    let device = try QueryDevice(["Item.age", "Item.name"])
    try device.fill()
    try device.saveNumbered(1_000)
    #expect(try isQuick(device))
    try device.restart(["Item.name"])
    #expect(try !isQuick(device))
    try device.save(["r1500"]) { _ in ["age": .int64(7)] }
    var steps = 0
    while try device.replica.advanceProjections(rowsMaximum: 400, now: QueryDevice.now) {
      steps += 1
    }
    #expect(steps == 2)
    #expect(try device.count("record_key") == 1_000)
    #expect(try device.count("record_index") == 1)
  }

  @Test func `an index that is declared again is filled from the start`() throws {
    let device = try QueryDevice(["Item.age"])
    try device.fill()
    try device.saveNumbered(1_000)
    try device.restart([])
    try device.save(["r1500"]) { _ in ["age": .int64(7)] }
    try device.restart(["Item.age"])
    #expect(try device.names("age == 500").isEmpty)
    try device.fill()
    #expect(try device.names("age == 7") == ["r1007", "r1500"])
    #expect(try device.reader.findings() == [])
    #expect(try device.count("record_key") == 1_000)
  }

  @Test func `an index of times and authors is filled again when the device learns its account`()
    throws
  {
    let device = try QueryDevice(["Item.creatorUserRecordID", "Item.age"])
    try device.fill()
    try device.saveNumbered(20)
    let index = try #require(device.replica.projection(RecordIndex.self))
    try device.replica.write(QueryDevice.now) { transaction in
      try transaction.db.execute(
        sql: "UPDATE identity SET account = ?", arguments: [AccountID(0xADA).column])
      try index.identify(transaction.db)
    }
    let predicate = "creatorUserRecordID == '\(AccountID(0xADA))'"
    #expect(device.replica.hasProjectionWork)
    #expect(try device.names(predicate).count == 20)
    try device.fill()
    #expect(try device.names(predicate).count == 20)
    #expect(try device.reader.findings() == [])
  }

  @Test func `the keys of a deleted zone go with it, and sign-out leaves none`() throws {
    let device = try QueryDevice(["Item.age", "Item.name"])
    try device.fill()
    let zone = ZoneID(name: ZoneName(7))
    _ = try device.replica.edit([.createZone(zone, title: "Zone")], now: QueryDevice.now)
    try device.saveNumbered(10)
    try device.saveNumbered(5, in: zone)
    #expect(try device.count("record_key") == 30)
    _ = try device.replica.edit([.deleteZone(zone)], now: QueryDevice.now)
    #expect(try device.count("record_key") == 20)
    #expect(try device.reader.findings() == [])
    _ = try device.replica.signOut(discarding: true, now: QueryDevice.now)
    #expect(try device.count("record_key") == 0)
    #expect(try device.names().isEmpty)
    _ = try device.replica.signIn(account: "bob", now: QueryDevice.now)
    try device.saveNumbered(1_000)
    #expect(try isQuick(device))
  }

  @Test func `a check finds records that differ from an index`() throws {
    let device = try QueryDevice(["Item.age"])
    try device.fill()
    try device.saveNumbered(10)
    #expect(try device.reader.findings() == [])
    try device.replica.write(QueryDevice.now) { transaction in
      try transaction.db.execute(
        sql: "DELETE FROM record_key WHERE record = (SELECT id FROM record WHERE name = 'r1003')")
    }
    #expect(
      try device.reader.findings() == [
        "The record “r1003” differs from Item.age.", "Item.age has 9 keys for 10 records.",
      ])
  }

  @Test func `too many indexes are refused`() throws {
    let many = try (0...DeclaredIndex.indexesMax).map { try DeclaredIndex("Item.f\($0)") }
    let error = #expect(throws: RecordsError.self) { try RecordIndex(many) }
    #expect(error?.code == .limitExceeded)
    #expect(throws: Never.self) { try RecordIndex(many.dropLast() + many.dropLast()) }
  }
}
