// Edits of contacts change only what differs in the rows of lists and searches.

import AddressBook
import AgentStore
import Collation
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import PredicateWorld
import Records
import SQLiteFile
import TestTiers
import Testing

@Suite("The rows of a contact that is edited")
final class ContactIndexTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "index-\(UUID().uuidString).db").path
  private let database: DeviceDatabase
  private let replica: Replica

  init() throws {
    database = try DeviceDatabase(path: path)
    replica = try Self.replica(database)
  }

  deinit {
    try? replica.close()
    try? database.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private static func replica(_ database: DeviceDatabase) throws -> Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [], language: Language("en_US"), generator: SystemRandomNumberGenerator(),
      now: Room.now)
  }

  private func save(_ name: String, _ fields: Fields, removed: [FieldKey] = []) -> LocalEdit {
    .save(
      LocalEdit.RecordSave(
        id: RecordID(zone: .standard, name: RecordName(stored: name)), type: ContactRecord.type,
        changes: FieldChanges(set: fields, removed: removed), expectation: .any))
  }

  private func answers(_ replica: Replica) throws -> [[String]] {
    let texts: [String?] = [nil, "ada", "lovelace", "acme", "byron", "zed"]
    var answers: [[String]] = []
    for order in ContactOrder.allCases {
      for text in texts {
        let page = try replica.reader.contacts(ContactQuery(order: order, text: text))
        answers.append(page.rows.map { "\($0.record.id.name) \($0.sectionKey)" })
      }
      answers.append(try replica.reader.sections(order).map { "\($0.label) \($0.contacts)" })
    }
    return answers
  }

  private func checkText() throws {
    try database.writer.write {
      try $0.execute(
        sql: "INSERT INTO contact_text (contact_text, rank) VALUES ('integrity-check', 1)")
    }
  }

  /// The changes of the full-text index and the list's places that `body` makes.
  private func changedPlaces(_ body: () throws -> Void) throws -> Int {
    func rows() throws -> Set<String> {
      try database.writer.read { db in
        try Set(
          String.fetchAll(
            db,
            sql: """
              SELECT generation || ' ' || record || ' ' || hex(last) || ' ' || hex(first) || ' '
                || hex(company) || ' ' || indexed FROM contact_place
              """))
      }
    }
    let before = try rows()
    try body()
    return try rows().symmetricDifference(before).count
  }

  @Test(
    arguments: [
      ["lastName": .string("Byron")], ["firstName": .string("Zed")], ["company": .string("Zed")],
      ["note": .string("Acme")], [:],
    ] as [Fields])
  func `an edit leaves what a new device would have`(edit: Fields) throws {
    let first: Fields = ["firstName": .string("Ada"), "lastName": .string("Lovelace")]
    let other: Fields = ["firstName": .string("Zoe"), "company": .string("Acme")]
    _ = try replica.edit([save("a", first), save("b", other)], now: Room.now)
    _ = try replica.edit([save("a", edit)], now: Room.now)
    #expect(!replica.hasProjectionWork)
    try checkText()
    var all = first
    for field in edit.all { all[field.key] = field.value }
    let fresh = try Self.replica(DeviceDatabase.inMemory())
    _ = try fresh.edit([save("a", all), save("b", other)], now: Room.now)
    #expect(try answers(replica) == answers(fresh))
  }

  @Test func `an edit that changes no sort key leaves the contact's places as they are`() throws {
    let fields: Fields = ["firstName": .string("Ada"), "lastName": .string("Lovelace")]
    _ = try replica.edit([save("a", fields)], now: Room.now)
    let changed = try changedPlaces {
      _ = try replica.edit([save("a", ["note": .string("zed")])], now: Room.now)
    }
    #expect(changed == 0)
    #expect(try replica.reader.contacts(ContactQuery(text: "zed")).rows.count == 1)
  }

  @Test(arguments: 0..<UInt64(TestTier.cases(12)))
  func `any edits leave what a new device would have`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let words = ["Ada", "Lovelace", "Byron", "Acme", "Zed", "Émile", "9"]
    let keys: [FieldKey] = ["firstName", "lastName", "company", "note"]
    var contacts: [String: Fields] = [:]
    for _ in 0..<20 {
      // Sometimes more than are indexed at once, which are then indexed later.
      let count = generator.percent(20) ? 70 : 1 + generator.below(4)
      var edits: [LocalEdit] = []
      for _ in 0..<count {
        let name = "c\(generator.below(count == 70 ? 90 : 6))"
        if generator.percent(15), contacts.removeValue(forKey: name) != nil {
          let id = RecordID(zone: .standard, name: RecordName(stored: name))
          edits.append(.delete(id, version: nil))
          continue
        }
        let key = generator.one(of: keys)
        let value = Value.string(generator.one(of: words))
        contacts[name, default: ["lastName": .string("Zed")]][key] = value
        edits.append(save(name, contacts[name] ?? [:]))
      }
      _ = try replica.edit(edits, now: Room.now)
      if generator.percent(30) { while try replica.advanceProjections(now: Room.now) {} }
    }
    let fresh = try Self.replica(DeviceDatabase.inMemory())
    let names = contacts.keys.sorted()
    let rows = names.map { save($0, contacts[$0] ?? [:]) }
    for start in stride(from: 0, to: rows.count, by: 50) {
      _ = try fresh.edit(Array(rows[start..<min(start + 50, rows.count)]), now: Room.now)
    }
    let expected = try answers(fresh).map { $0.sorted() }
    #expect(try answers(replica).map { $0.sorted() } == expected, "seed \(seed)")
    while try replica.advanceProjections(now: Room.now) {}
    try checkText()
    #expect(try answers(replica).map { $0.sorted() } == expected, "seed \(seed)")
  }
}
