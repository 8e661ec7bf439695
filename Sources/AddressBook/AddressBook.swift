// The address book on a replica: contacts in order, in sections, and searchable. What a contact is called, how it is
// sorted and what finds it is decided in Contacts.

import Collation
import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The tables of contacts that lists and searches read.
package final class AddressBook: Projection {
  /// The rows of a page of contacts.
  package static let contactsPerPage = 1_000
  /// Contacts that are sorted for one page: small groups in unusual orders, and lists in another
  /// language than the device's. Larger ones read an index, in the device's language.
  static let contactsSortedAtOnce = 2_000
  /// A photo up to this size is fetched without being requested; a larger one when a person looks at it.
  package static let eagerPhotoBytes = 2 << 20

  /// Whether contacts are to be indexed, or the lists' order has to be built again because the language or its tables
  /// changed. Lists keep the former order until all is done.
  package var hasWork = false

  /// Whether contacts may wait for the lists' indexes that have not been considered for entering them together.
  private var mayWaitForLists = true
  let index: ContactIndex
  /// The positions of a list, for searches.
  private let positions = PositionCache()
  private let language: Language
  /// The contact that was decoded for its title.
  private var decoded: ListedContact?
  /// Contacts that the next transaction is expected to enter.
  private var expected: ListedContacts?

  /// An address book whose lists are sorted for `language`.
  package init(language: Language) {
    self.language = language
    index = ContactIndex(OrderingRow(first: language))
  }

  /// What the replica has to know about contacts and groups of cards.
  /// - Parameter bundled: the contacts that a new account begins with, in their order.
  package static func addRules(
    to rules: inout ApplicationRules, bundled: [(name: RecordName, fields: Fields)]
  ) {
    rules.titles[ContactRecord.type] = { name, fields in
      ContactName(ContactRecord.contact(named: name, fields: fields)).displayName
    }
    rules.titles[GroupRecord.type] = { GroupRecord.title(named: $0, fields: $1) }
    rules.checks.append(findings)
    rules.mainType = ContactRecord.type
    rules.noun = "contact"
    guard !bundled.isEmpty else { return }
    rules.firstRecords = FirstRecords(
      marker: BundledContacts.marker,
      records: bundled.map {
        FirstRecords.Record(name: $0.name, type: ContactRecord.type, fields: $0.fields)
      })
  }

  /// Announces contacts that the next transaction will probably store, so that it need not decode them. A contact that
  /// is stored with other fields is decoded then.
  package func expect(_ contacts: any Sendable) { expected = contacts as? ListedContacts }

  // MARK: Projection

  package var preparation: RecordPreparation? {
    let preparation = ContactPreparation(index.standing)
    return { preparation.contacts(among: $0) }
  }

  package var memory: (any Sendable)? { positions }

  package func open(_ db: Database, at now: Timestamp) throws {
    hasWork = try OrderRebuild(index, db).begin(language)
    if try DeferredContacts(db).exist { hasWork = true }
  }

  package func begin(_ db: Database) throws { try index.begin(db) }

  package func advance(
    rowsMaximum: Int, isIdle: Bool, in transaction: DeviceTransaction
  ) throws -> Bool {
    let deferred = DeferredContacts(transaction.db)
    if isIdle, mayWaitForLists {
      mayWaitForLists = false
      if try deferred.enterInListsTogether() { return true }
    }
    if try deferred.index(limit: rowsMaximum) { return true }
    return try OrderRebuild(index, transaction.db).advance(limit: rowsMaximum)
  }

  package func close() { index.release() }

  package func finish(_ db: Database) throws {
    try index.finish(db)
    positions.note(index.moved)
    if index.hasDeferred { (hasWork, mayWaitForLists) = (true, true) }
    decoded = nil
    expected = nil
  }

  package func ended() { positions.end() }

  package func savepoint() -> () -> Void { index.savepoint() }

  package func title(of record: ProjectedRecord) -> String? {
    isContact(record) ? decode(record).name.displayName : nil
  }

  package func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    guard !record.zone.isPublic else { return }
    guard isContact(record), record.fields != nil else {
      guard record.former != nil else { return }
      return try index.remove(record.row, from: transaction.db)
    }
    try index.enter(decode(record), of: record, in: transaction.db)
  }

  package func confirm(record: Int64, modified: Timestamp, _ db: Database) throws {
    // NB: the time of an edit that is confirmed is usually the one that is stored.
    let statement = try HotStatement(
      borrowing: "UPDATE contact SET modified = ?1 WHERE record = ?2 AND modified <> ?1", from: db)
    try statement.run { statement in
      statement.bind(1, modified.microseconds)
      statement.bind(2, record)
    }
  }

  package func remove(record: Int64, _ db: Database) throws { try index.remove(record, from: db) }

  package func remove(zone: Int64, _ db: Database) throws {
    try index.removeAll(ofZone: zone, from: db)
  }

  package func removeAll(_ db: Database) throws {
    try db.execute(sql: "INSERT INTO contact_text (contact_text) VALUES ('delete-all')")
    for table in ["contact", "contact_place", "contact_section", "contact_deferred"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    // What the transaction has entered before is gone too.
    try index.begin(db)
    index.noteMoves()
  }

  package func compact(_ db: Database) throws {
    try db.execute(sql: "INSERT INTO contact_text (contact_text) VALUES ('optimize')")
  }

  /// Photos of contacts are small and appear in lists.
  package func wants(
    _ asset: Asset, of record: ProjectedRecord, in transaction: DeviceTransaction
  ) throws -> Bool {
    isContact(record) && asset.byteCount <= Self.eagerPhotoBytes
  }

  // MARK: -

  private func isContact(_ record: ProjectedRecord) -> Bool {
    record.type == ContactRecord.type && !record.zone.isPublic
  }

  private func decode(_ record: ProjectedRecord) -> ListedContact {
    let fields = record.seen
    if let decoded, decoded.record == record.name, decoded.fields == fields { return decoded }
    let made =
      expected?.contact(named: record.name, fields: fields)
      ?? ListedContact(named: record.name, fields: fields)
    decoded = made
    return made
  }
}
