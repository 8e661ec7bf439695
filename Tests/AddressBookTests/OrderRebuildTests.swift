// The lists' language changes: at once in a small address book, in the background in a large one.

import AddressBook
import AgentStore
import Collation
import Contacts
import DeviceRoom
import DeviceStore
import GRDB
import Records
import Testing

@Suite("A3 another language of lists")
struct OrderRebuildTests {
  private let database: DeviceDatabase

  init() throws {
    database = try DeviceDatabase.inMemory()
  }

  private func replica(_ language: String) throws -> Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [],
      language: Language(language), generator: SystemRandomNumberGenerator(), now: Room.now)
  }

  private func save(_ names: [String], _ replica: Replica) throws {
    let edits = names.map { name in
      LocalEdit.save(TestDevice.contact(name, ["lastName": .string(name)]))
    }
    _ = try replica.edit(edits, now: Room.now)
  }

  /// Saves contacts on a device in English, and indexes all of them.
  private func saveInEnglish(_ names: [String]) throws {
    let english = try replica("en_US")
    try save(names, english)
    while try english.advanceProjections(now: Room.now) {}
  }

  private func names(_ replica: Replica, _ query: ContactQuery = ContactQuery()) throws -> [String]
  {
    try replica.reader.contacts(query).rows.map(\.displayName)
  }

  @Test func `a small address book starts in its new language`() throws {
    try save(["Zorn", "Åberg", "Ahl"], replica("en_US"))
    #expect(try names(replica("en_US")) == ["Åberg", "Ahl", "Zorn"])
    let swedish = try replica("sv_SE")
    #expect(!swedish.hasProjectionWork)
    #expect(try names(swedish) == ["Ahl", "Zorn", "Åberg"])
    let sections = try swedish.reader.sections(.last)
    #expect(sections.map(\.label) == ["A", "Z", "Å"])
    #expect(sections.map(\.contacts) == [1, 1, 1])
  }

  @Test func `a large one keeps its order until the new one is whole, edits included`() throws {
    let many = (0..<2100).map { "Ö\($0)" }
    try saveInEnglish(["Zorn"] + many)
    let swedish = try replica("sv_SE")
    #expect(swedish.hasProjectionWork)
    try swedish.advanceProjections(rowsMaximum: 1000, now: Room.now)
    #expect(try names(swedish).first == "Ö0")
    try save(["Åberg", "Zorn2"], swedish)
    _ = try swedish.edit(
      [.delete(RecordID(zone: .standard, name: RecordName(stored: "Ö5")), version: nil)],
      now: Room.now)
    // The process dies and goes on.
    let again = try replica("sv_SE")
    #expect(again.hasProjectionWork)
    var rounds = 0
    while again.hasProjectionWork, rounds < 100 {
      try again.advanceProjections(rowsMaximum: 500, now: Room.now)
      rounds += 1
    }
    #expect(!again.hasProjectionWork)
    #expect(try names(again, ContactQuery(limit: 4)) == ["Zorn", "Zorn2", "Åberg", "Ö0"])
    #expect(try again.reader.contactCount() == 2102)
    #expect(try again.reader.sections(.last).map(\.contacts).reduce(0, +) == 2102)
    #expect(try !replica("sv_SE").hasProjectionWork)
  }

  @Test func `no contact is lost if the language is set back during a rebuild`() throws {
    try saveInEnglish((0..<2100).map { "Ö\($0)" })
    try replica("sv_SE").advanceProjections(rowsMaximum: 300, now: Room.now)
    let english = try replica("en_US")
    #expect(!english.hasProjectionWork)
    #expect(try english.reader.contactCount() == 2100)
    #expect(try names(english, ContactQuery(limit: 1)) == ["Ö0"])
  }

  @Test func `a list may be asked for in another language than the device's`() throws {
    let english = try replica("en_US")
    try save(["Zorn", "Åberg", "Ahl"], english)
    var query = ContactQuery(language: Language("sv_SE.UTF-8"), limit: 2)
    let page = try english.reader.contacts(query)
    #expect(page.rows.map(\.displayName) == ["Ahl", "Zorn"])
    #expect(page.language.description == "sv-SE")
    query.cursor = page.next
    let last = try english.reader.contacts(query)
    #expect(last.rows.map(\.displayName) == ["Åberg"])
    #expect(last.rows.map(\.sectionKey) == ["Å"])
    #expect(last.rows.map(\.sortIndex) == [2])
    #expect(last.next == nil)
    query.language = nil
    let error = #expect(throws: RecordsError.self) { try english.reader.contacts(query) }
    #expect(error?.code == .invalidArguments)
  }

  /// Replaces the words by which a contact is found, as another version of the library would have stored them.
  private func setWords(_ words: String, version: String?) throws {
    try database.writer.write { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT record, text FROM contact"))
      let (record, former): (Int64, String) = (row["record"], row["text"])
      try db.execute(
        sql: "INSERT INTO contact_text (contact_text, rowid, text) VALUES ('delete', ?, ?)",
        arguments: [record, former])
      try db.execute(
        sql: "INSERT INTO contact_text (rowid, text) VALUES (?, ?)", arguments: [record, words])
      try db.execute(sql: "UPDATE contact SET text = ?", arguments: [words])
      guard let version else { return }
      try db.execute(sql: "UPDATE contact_ordering SET words = ?", arguments: [version])
    }
  }

  @Test func `words of another version are made again`() throws {
    try save(["Åberg"], replica("en_US"))
    try setWords(" obsolete ", version: "an older version")
    let again = try replica("en_US")
    #expect(try names(again, ContactQuery(text: "aberg")) == ["Åberg"])
    #expect(try names(again, ContactQuery(text: "obsolete")).isEmpty)
  }

  @Test func `another language does not make the words again`() throws {
    try save(["Åberg"], replica("en_US"))
    try setWords(" kept ", version: nil)
    let swedish = try replica("sv_SE")
    #expect(try swedish.reader.sections(.last).map(\.label) == ["Å"])
    #expect(try names(swedish, ContactQuery(text: "kept")) == ["Åberg"])
  }

  @Test func `a language that sorts alike is no other language`() throws {
    try save(["Zorn", "Åberg"], replica("en_US"))
    let british = try replica("en_GB")
    #expect(try names(british) == ["Åberg", "Zorn"])
    #expect(try british.reader.contacts(ContactQuery(language: .neutral)).next == nil)
  }
}
