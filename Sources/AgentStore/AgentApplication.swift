// The application of contactsd: an address book and a timeline on one replica, notes for CardDAV clients, and the drafts of
// the web page.

import AddressBook
import CardDAVStore
import Collation
import DeviceStore
import Records
import TimelineStore

extension Application {
  /// The tables of an agent's projections.
  package static let agentSchema =
    AddressBook.schema + TimelineStore.schema + CardDAVSchema.migrations + [DraftTable.schema]

  /// An agent's application, for one replica.
  /// - Parameters:
  ///   - bundled: the contacts that a new account begins with; none in most tests.
  ///   - language: the language for which lists are sorted.
  package static func agent(
    bundled: [(name: RecordName, fields: Fields)], language: Language
  ) -> Application {
    var rules = ApplicationRules()
    AddressBook.addRules(to: &rules, bundled: bundled)
    TimelineStore.addRules(to: &rules)
    rules.sentences.error = \.forUsers
    rules.sentences.news = \.forUsers
    return Application(
      rules: rules,
      projections: [
        AddressBook(language: language), TimelineStore(), CardProjection(), DraftProjection(),
      ])
  }
}

extension Replica {
  /// Opens an agent's device over `database`.
  /// - Parameters:
  ///   - bundled: the contacts that a new account begins with.
  ///   - language: the language for which lists are sorted.
  /// - Throws: as the designated initializer.
  package convenience init(
    database: DeviceDatabase, settings: DeviceSettings,
    bundled: [(name: RecordName, fields: Fields)], language: Language = .neutral,
    generator: any RandomNumberGenerator, now: Timestamp
  ) throws {
    try self.init(
      database: database, settings: settings,
      application: .agent(bundled: bundled, language: language), generator: generator, now: now)
  }
}

extension DeviceDatabase {
  /// Opens an agent's database at `path`, or creates it.
  /// - Throws: `StoreError`.
  package init(path: String) throws(StoreError) {
    try self.init(path: path, schema: Application.agentSchema)
  }

  /// A new agent's database in memory, for simulations and tests.
  package static func inMemory() throws(StoreError) -> DeviceDatabase {
    try empty.get().copied()
  }

  private static let empty = Result { () throws(StoreError) in
    try DeviceDatabase.inMemory(schema: Application.agentSchema)
  }
}
