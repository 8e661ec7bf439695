// Contacts that arrive together are indexed in the background. Meanwhile lists and searches are complete.

import AddressBook
import AgentStore
import Collation
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile
import TestTiers
import Testing

@Suite("Contacts that are indexed later")
final class DeferredContactsTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "deferred-\(UUID().uuidString).db").path
  private let database: DeviceDatabase

  init() throws {
    database = try DeviceDatabase(path: path)
  }

  deinit {
    try? database.close()
    let folder = FileManager.default.temporaryDirectory
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for file in files where folder.appending(path: file).path.hasPrefix(path) {
      try? FileManager.default.removeItem(at: folder.appending(path: file))
    }
  }

  private func replica(
    _ language: String = "en_US", on other: DeviceDatabase? = nil
  ) throws -> Replica {
    try Replica(
      database: other ?? database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [],
      language: Language(language), generator: SystemRandomNumberGenerator(), now: Room.now)
  }

  private static let lasts = ["Nowak", "Щербаков", "小龙", "O'Brien", "Åberg", "", "Anand", "Zed"]

  private static func fields(_ number: Int) -> Fields {
    [
      "firstName": .string("First\(number * 7919 % 1000)"),
      "lastName": .string(lasts[number % lasts.count]),
      "company": .string("Acme \(number % 13)"),
    ]
  }

  private func save(_ numbers: Range<Int>, _ replica: Replica) throws {
    let edits = numbers.map { number in
      LocalEdit.save(TestDevice.contact("c\(number)", Self.fields(number)))
    }
    _ = try replica.edit(edits, now: Room.now)
  }

  private static let queries: [String?] = [
    nil, "first", "first12", "obrien", "小", "acme 3", "zed first5", "sherbakov", "nobody",
  ]

  /// The names of all records that each list and each search returns, page by page.
  private func answers(_ replica: Replica, _ languages: [Language?] = [nil]) throws -> [[String]] {
    var answers: [[String]] = []
    for order in ContactOrder.allCases {
      for text in Self.queries {
        for language in languages {
          let query = ContactQuery(order: order, text: text, language: language, limit: 37)
          answers.append(try replica.reader.allNames(query))
        }
      }
    }
    return answers
  }

  private func deferredCount() throws -> Int {
    try database.writer.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM contact_deferred") ?? 0
    }
  }

  /// The number of contacts that the lists' indexes do not have.
  private func unlistedCount() throws -> Int {
    try database.writer.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM contact_place WHERE indexed = 0") ?? 0
    }
  }

  /// Compares the full-text index with the texts, and the flags of the places with the list of deferred contacts.
  private func checkIndexes() throws {
    #expect(try unlistedCount() == deferredCount())
    try checkTexts()
  }

  private func checkTexts() throws {
    guard try deferredCount() == 0 else { return }
    try Self.checkTexts(in: database)
  }

  /// NB: without the rank, SQLite looks at the index alone.
  private static func checkTexts(in database: DeviceDatabase) throws {
    try database.writer.write { db in
      try db.execute(
        sql: "INSERT INTO contact_text (contact_text, rank) VALUES ('integrity-check', 1)")
    }
  }

  @Test func `a few contacts are indexed at once`() throws {
    let replica = try replica()
    try save(0..<64, replica)
    #expect(!replica.hasProjectionWork)
    #expect(try deferredCount() == 0)
    try checkIndexes()
  }

  @Test func `of many contacts, none is indexed at once`() throws {
    let replica = try replica()
    try save(0..<65, replica)
    #expect(try deferredCount() == 65)
    try checkIndexes()
  }

  @Test func `a contact that its own transaction changes or deletes is indexed as it is then`()
    throws
  {
    let replica = try replica()
    let edits = (0..<3).map { LocalEdit.save(TestDevice.contact("c\($0)", Self.fields($0))) }
    let renamed = TestDevice.contact("c1", ["lastName": .string("Renamed")])
    let deleted = RecordID(zone: .standard, name: RecordName(stored: "c2"))
    _ = try replica.edit(
      edits + [.save(renamed), .delete(deleted, version: nil)], now: Room.now)
    #expect(try replica.reader.contacts(ContactQuery(text: "renamed")).rows.count == 1)
    #expect(try replica.reader.contacts(ContactQuery(text: "acme")).rows.count == 2)
    try checkIndexes()
  }

  @Test func `edits that are rolled back leave no entries in the indexes`() throws {
    let replica = try replica()
    let absent = RecordID(zone: .standard, name: RecordName(stored: "absent"))
    _ = try replica.edit(now: Room.now) { transaction in
      try transaction.apply([.save(TestDevice.contact("c0", Self.fields(0)))])
      #expect(throws: RecordsError.self) {
        try transaction.apply([
          .save(TestDevice.contact("c1", Self.fields(1))), .delete(absent, version: nil),
        ])
      }
      try transaction.apply([.save(TestDevice.contact("c2", Self.fields(2)))])
    }
    #expect(try answers(replica).first?.sorted() == ["c0", "c2"])
    #expect(try replica.reader.sections(.last).map(\.contacts).reduce(0, +) == 2)
    try checkIndexes()
  }

  @Test(.onlyInCheck) func `lists and searches are complete before, during and after the indexing`()
    throws
  {
    let replica = try replica()
    try save(0..<500, replica)
    #expect(replica.hasProjectionWork)
    #expect(try deferredCount() == 500)
    let before = try answers(replica, [nil, Language("sv_SE")])
    #expect(before.first?.count == 500)
    try replica.advanceProjections(rowsMaximum: 150, now: Room.now)
    #expect(try deferredCount() == 350)
    try checkIndexes()
    #expect(try answers(replica, [nil, Language("sv_SE")]) == before)
    while try replica.advanceProjections(now: Room.now) {}
    try checkIndexes()
    #expect(try answers(replica, [nil, Language("sv_SE")]) == before)
    #expect(try replica.reader.sections(.last).map(\.contacts).reduce(0, +) == 500)
  }

  @Test(.onlyInCheck) func `a frequent word is found in the list's order while the contacts wait`()
    throws
  {
    let replica = try replica()
    try save(0..<4200, replica)
    let waiting = try answers(replica)
    while try replica.advanceProjections(rowsMaximum: 2000, now: Room.now) {}
    #expect(try answers(replica) == waiting)
  }

  @Test(.onlyInCheck)
  func `P5 while little else is to be done, many contacts are entered into the lists together`()
    throws
  {
    let replica = try replica()
    try save(0..<2100, replica)
    let before = try answers(replica)
    let indexes = try indexNames()
    try replica.advanceProjections(rowsMaximum: 100, isIdle: false, now: Room.now)
    #expect(try unlistedCount() == 2000)
    try replica.advanceProjections(rowsMaximum: 100, isIdle: true, now: Room.now)
    #expect(try unlistedCount() == 0)
    #expect(try deferredCount() == 2000)
    #expect(try indexNames() == indexes)
    #expect(try answers(replica) == before)
    // One that only the full-text index lacks is changed, and one is deleted.
    let deleted = RecordID(zone: .standard, name: RecordName(stored: "c2051"))
    _ = try replica.edit(
      [
        .save(TestDevice.contact("c2050", ["company": .string("Renamed")])),
        .delete(deleted, version: nil),
      ], now: Room.now)
    #expect(try deferredCount() == 1998)
    #expect(try replica.reader.contacts(ContactQuery(text: "renamed")).rows.count == 1)
    let changed = try answers(replica)
    #expect(changed.first?.count == 2099)
    while try replica.advanceProjections(isIdle: true, now: Room.now) {}
    try checkIndexes()
    #expect(try answers(replica) == changed)
  }

  @Test(.onlyInCheck)
  func
    `contacts are entered together in both orders while the language changes, also after a restart`()
    throws
  {
    let english = try replica()
    try save(0..<2000, english)
    while try english.advanceProjections(isIdle: true, now: Room.now) {}
    try english.close()
    let swedish = try replica("sv_SE", on: DeviceDatabase(path: path))
    let group = ZoneID(name: ZoneName(UInt128(7)))
    _ = try swedish.edit([.createZone(group, title: "Friends")], now: Room.now)
    try save(2000..<4050, swedish)
    let friends = (0..<70).map { number in
      LocalEdit.save(
        LocalEdit.RecordSave(
          id: RecordID(zone: group, name: RecordName(stored: "f\(number)")),
          type: ContactRecord.type, changes: FieldChanges(set: Self.fields(number)),
          expectation: .absent))
    }
    _ = try swedish.edit(friends, now: Room.now)
    #expect(try unlistedCount() == 2 * 2120)
    try swedish.advanceProjections(rowsMaximum: 10, isIdle: true, now: Room.now)
    #expect(try unlistedCount() == 0)
    #expect(try deferredCount() == 2120)
    _ = try swedish.edit([.deleteZone(group)], now: Room.now)
    #expect(try deferredCount() == 2050)
    try swedish.close()
    let again = try replica("sv_SE", on: DeviceDatabase(path: path))
    let before = try again.reader.allNames(ContactQuery(order: .first, limit: 1000))
    while try again.advanceProjections(isIdle: true, now: Room.now) {}
    try checkIndexes()
    let after = try again.reader.allNames(ContactQuery(order: .first, limit: 1000))
    #expect(before.count == 4050 && Set(after) == Set(before))
    #expect(try again.reader.contacts(ContactQuery(text: "first12", limit: 500)).rows.count > 40)
    try again.close()
  }

  @Test(.onlyInCheck) func `few contacts of a long list are entered one by one`() throws {
    let replica = try replica()
    try save(0..<6100, replica)
    while try replica.advanceProjections(isIdle: true, now: Room.now) {}
    try save(6100..<8130, replica)
    try replica.advanceProjections(rowsMaximum: 100, isIdle: true, now: Room.now)
    #expect(try unlistedCount() == 1930)
    try checkIndexes()
  }

  private func indexNames() throws -> [String] {
    try database.writer.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'contact_place'
          ORDER BY name
          """)
    }
  }

  @Test func `a contact that waits can be changed, deleted and lost with its group`() throws {
    let replica = try replica()
    let group = ZoneID(name: ZoneName(UInt128(7)))
    _ = try replica.edit([.createZone(group, title: "Friends")], now: Room.now)
    _ = try replica.edit(
      (0..<100).map {
        .save(
          LocalEdit.RecordSave(
            id: RecordID(zone: group, name: RecordName(stored: "f\($0)")), type: ContactRecord.type,
            changes: FieldChanges(set: ["lastName": .string("Friend")]), expectation: .absent))
      }, now: Room.now)
    try save(0..<200, replica)
    let changed = RecordID(zone: .standard, name: RecordName(stored: "c150"))
    let deleted = RecordID(zone: .standard, name: RecordName(stored: "c151"))
    let changes = FieldChanges(set: ["lastName": .string("Renamed")])
    _ = try replica.edit(
      [
        .save(
          LocalEdit.RecordSave(
            id: changed, type: ContactRecord.type, changes: changes, expectation: .present)),
        .delete(deleted, version: nil),
      ], now: Room.now)
    #expect(try replica.reader.contacts(ContactQuery(text: "renamed")).rows.count == 1)
    _ = try replica.edit([.deleteZone(group)], now: Room.now)
    let before = try answers(replica)
    #expect(before.first?.count == 199)
    try checkIndexes()
    while try replica.advanceProjections(now: Room.now) {}
    try checkIndexes()
    #expect(try answers(replica) == before)
  }

  @Test func `the indexing continues after a restart, also in a new language`() throws {
    try save(0..<300, replica())
    let again = try replica()
    #expect(again.hasProjectionWork)
    try again.advanceProjections(rowsMaximum: 100, now: Room.now)
    #expect(try deferredCount() == 200)
    let swedish = try replica("sv_SE")
    let before = try answers(swedish)
    while try swedish.advanceProjections(rowsMaximum: 50, now: Room.now) {}
    try checkIndexes()
    #expect(try answers(swedish) == before)
  }
}
