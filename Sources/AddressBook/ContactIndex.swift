// What lists and searches need of each contact, written in the transaction that changes the contact
// and made from its record alone. How a contact is called, sorted and found is decided in Contacts;
// here it becomes rows. Every contact of a first sync passes through, so the statements are stepped
// directly, and the headings' counts are summed up and written once a transaction.

import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// Writes what lists and searches read. One for each writing connection.
final class ContactIndex {
  /// The language of lists, which new contacts are entered in.
  private(set) var standing: OrderingRow
  /// Whether `standing` may not be what is in the database.
  private var isStale = true
  /// What the transaction under way has counted so far.
  private var counts: [SectionCount.Key: Int64] = [:]
  /// The contacts that the transaction has entered, while they may be few enough to be indexed at its end.
  ///
  /// NB: before each statement that changes several rows, SQLite makes the full-text index write what it has in memory,
  /// which takes longer than the statement. So no such statement follows the first entry in that index.
  private var unwritten: [Entry] = []
  private var statements: ContactStatements?
  /// The number of contacts that the transaction has entered.
  private var entered = 0
  /// Whether a transaction has left contacts to be indexed later.
  private(set) var hasDeferred = false
  /// The contacts whose places in the lists the transaction has changed; `nil` for too many.
  private(set) var moved: [Int64]? = []

  /// An index that goes on where `standing` is.
  init(_ standing: OrderingRow) {
    self.standing = standing
  }

  /// Begins a transaction: what an earlier one that failed had counted is forgotten.
  func begin(_ db: Database) throws {
    counts = [:]
    unwritten = []
    entered = 0
    hasDeferred = false
    moved = []
    statements = nil
    guard isStale else { return }
    standing = try OrderingRow.load(db) ?? standing
    isStale = false
  }

  /// The language may be another in the next transaction.
  func willReorder() { isStale = true }

  /// Returns a function that restores what the transaction has entered, before a part of it that may be rolled back.
  func savepoint() -> () -> Void {
    let (counts, unwritten) = (counts, unwritten)
    return { [self] in
      self.counts = counts
      self.unwritten = unwritten
    }
  }

  /// Writes what the transaction has counted, and indexes the contacts that it has entered.
  func finish(_ db: Database) throws {
    try writeEntries(areIndexed: true, db)
    for (key, change) in counts where change != 0 {
      try SectionCount.add(change, to: key, db)
    }
    counts = [:]
    // SQLite does not close a database that has an open statement.
    statements = nil
  }

  /// Writes the rows of a contact, and replaces those that its record had before. If a transaction enters many contacts,
  /// they are indexed later; see `DeferredContacts`.
  func enter(_ contact: ListedContact, of projected: ProjectedRecord, in db: Database) throws {
    let record = projected.row
    let statements = try prepared(db)
    entered += 1
    let isIndexedAtOnce = entered <= DeferredContacts.indexedAtOnceMaximum
    // NB: a record that people did not see before has no rows. Most records of a first sync are new.
    if projected.former != nil {
      if isIndexedAtOnce, try change(contact, of: projected, statements, db) { return }
      try remove(record, from: db)
    }
    let entry = Entry(
      record: record, zone: projected.zoneRow, text: contact.searchText,
      places: places(of: contact, in: projected.zoneRow))
    try statements.addContact.run { statement in
      statement.bind(1, record)
      statement.bind(2, entry.zone)
      statement.bind(3, projected.modified.microseconds)
      statement.bind(4, entry.text)
    }
    guard !isIndexedAtOnce else { return unwritten.append(entry) }
    try writeEntries(areIndexed: false, db)
    try write(entry, isIndexed: false, statements)
  }

  /// Writes what differs in the rows of a contact that is indexed. Most edits change few of its words and no sort key,
  /// and each index that stays as it is saves the transaction a page.
  /// - Returns: `false` if the contact is not indexed, or not in this zone. Nothing has changed then.
  private func change(
    _ contact: ListedContact, of projected: ProjectedRecord, _ statements: ContactStatements,
    _ db: Database
  ) throws -> Bool {
    let (record, zone) = (projected.row, projected.zoneRow)
    if unwritten.contains(where: { $0.record == record }) {
      try writeEntries(areIndexed: true, db)
    }
    let former = try statements.indexedText.first { statement in
      statement.bind(1, record)
      statement.bind(2, zone)
    } read: {
      $0.text(0)
    }
    guard let former else { return false }
    let text = contact.searchText
    try statements.changeContact.run { statement in
      statement.bind(1, projected.modified.microseconds)
      statement.bind(2, text)
      statement.bind(3, record)
    }
    let added = try places(of: contact, in: zone).filter {
      try !change($0, of: record, statements)
    }
    guard !added.isEmpty || !former.hasSameBytes(as: text) else { return true }
    unwritten.append(
      Entry(record: record, zone: zone, text: text, formerText: former, places: added))
    return true
  }

  /// Writes the sort keys that differ.
  /// - Returns: `false` if the contact has no place in this generation yet.
  private func change(
    _ place: Place, of record: Int64, _ statements: ContactStatements
  ) throws -> Bool {
    guard let found = try self.place(of: record, place.generation, statements) else { return false }
    for (sort, former) in found.keys.enumerated() {
      count(former, sort: sort, zone: found.zone, place.generation, by: -1)
    }
    let changed = place.keys.indices.filter { place.keys[$0] != found.keys[$0] }
    guard let first = changed.first else { return true }
    noteMove(of: record, in: place.generation)
    let change = changed.count == 1 ? statements.changeKey[first] : statements.changeKeys
    try change.run { statement in
      statement.bind(1, place.generation)
      statement.bind(2, record)
      let bound = changed.count == 1 ? changed : Array(place.keys.indices)
      for (index, sort) in bound.enumerated() {
        statement.bind(Int32(3 + index), place.keys[sort])
      }
    }
    return true
  }

  /// A contact's entries in the lists and in the full-text index.
  private struct Entry {
    let record: Int64
    let zone: Int64
    let text: String
    /// The text that the full-text index has of the contact; `nil` if it has none.
    var formerText: String?
    let places: [Place]
  }

  /// A contact's sort keys in one generation, in the order of `NameOrder.allCases`.
  private struct Place {
    let generation: Int64
    let keys: [[UInt8]]
  }

  /// Writes the entries that were left for the end of the transaction. A contact that is indexed stays so.
  private func writeEntries(areIndexed: Bool, _ db: Database) throws {
    guard !unwritten.isEmpty else { return }
    let statements = try prepared(db)
    let entries = unwritten
    unwritten = []
    for entry in entries {
      try write(entry, isIndexed: areIndexed || entry.formerText != nil, statements)
    }
    for entry in entries where areIndexed || entry.formerText != nil {
      try writeText(of: entry, statements)
    }
  }

  private func writeText(of entry: Entry, _ statements: ContactStatements) throws {
    if let former = entry.formerText {
      guard !former.hasSameBytes(as: entry.text) else { return }
      try statements.removeText.run { statement in
        statement.bind(1, entry.record)
        statement.bind(2, former)
      }
    }
    try statements.addText.run { statement in
      statement.bind(1, entry.record)
      statement.bind(2, entry.text)
    }
  }

  private func write(_ entry: Entry, isIndexed: Bool, _ statements: ContactStatements) throws {
    for place in entry.places { try write(place, of: entry, isIndexed: isIndexed, statements) }
    guard !isIndexed else { return }
    try statements.deferContact.run { $0.bind(1, entry.record) }
    hasDeferred = true
  }

  private func write(
    _ place: Place, of entry: Entry, isIndexed: Bool, _ statements: ContactStatements
  ) throws {
    noteMove(of: entry.record, in: place.generation)
    try statements.addPlace.run { statement in
      statement.bind(1, place.generation)
      statement.bind(2, entry.record)
      statement.bind(3, entry.zone)
      for (index, key) in place.keys.enumerated() { statement.bind(Int32(4 + index), key) }
      statement.bind(7, isIndexed ? 1 : 0)
    }
  }

  /// Takes a contact out, if it is in.
  func remove(_ record: Int64, from db: Database) throws {
    if unwritten.contains(where: { $0.record == record }) {
      try writeEntries(areIndexed: true, db)
    }
    let statements = try prepared(db)
    let text = try statements.text.first(bind: { $0.bind(1, record) }, read: { $0.text(0) })
    guard let text else { return }
    try removeText(text, of: record, statements)
    try statements.removeContact.run { $0.bind(1, record) }
    for generation in standing.generations {
      try displace(record, generation.number, statements)
    }
  }

  /// Takes a contact's text out of the full-text index.
  /// - Returns: Whether it was in, and not deferred.
  @discardableResult
  private func removeText(
    _ text: String, of record: Int64, _ statements: ContactStatements
  ) throws -> Bool {
    try statements.undefer.run { $0.bind(1, record) }
    guard statements.undefer.changeCount == 0 else { return false }
    try statements.removeText.run { statement in
      statement.bind(1, record)
      statement.bind(2, text)
    }
    return true
  }

  /// Takes all contacts of a zone out.
  func removeAll(ofZone zone: Int64, from db: Database) throws {
    try writeEntries(areIndexed: true, db)
    try db.run(
      """
      INSERT INTO contact_text (contact_text, rowid, text)
        SELECT 'delete', record, text FROM contact WHERE zone = ?
          AND record NOT IN (SELECT record FROM contact_deferred)
      """, [zone])
    try DeferredContacts(db).removeAll(ofZone: zone)
    try db.run("DELETE FROM contact WHERE zone = ?", [zone])
    try db.run("DELETE FROM contact_place WHERE zone = ?", [zone])
    try db.run("DELETE FROM contact_section WHERE zone = ?", [zone])
    noteMoves()
    counts = counts.filter { $0.key.zone != zone }
  }

  /// Enters a contact's place in one generation, unless it has one there.
  func place(
    _ name: ContactName, record: Int64, zone: Int64, generation: OrderingRow.Generation,
    in db: Database
  ) throws {
    let statements = try prepared(db)
    try displace(record, generation.number, statements)
    let keys = ListedContact.sortKeys(of: name, by: generation.ordering)
    let place = place(keys, in: zone, generation)
    let entry = Entry(record: record, zone: zone, text: "", places: [place])
    try write(place, of: entry, isIndexed: true, statements)
  }

  /// Writes a contact's text again, if it differs from what it would be now.
  func renewText(of contact: Contact, record: Int64, in db: Database) throws {
    let statements = try prepared(db)
    let text = ContactSearch.text(of: contact)
    let former = try statements.text.first(bind: { $0.bind(1, record) }, read: { $0.text(0) })
    guard let former, former != text else { return }
    let wasIndexed = try removeText(former, of: record, statements)
    try db.run("UPDATE contact SET text = ? WHERE record = ?", [text, record])
    guard wasIndexed else { return try statements.deferContact.run { $0.bind(1, record) } }
    try statements.addText.run { statement in
      statement.bind(1, record)
      statement.bind(2, text)
    }
  }

  /// Returns a contact's places in the lists, and counts them.
  private func places(of contact: ListedContact, in zone: Int64) -> [Place] {
    standing.generations.map { place(contact.sortKeys(by: $0.ordering), in: zone, $0) }
  }

  private func place(
    _ keys: [[UInt8]], in zone: Int64, _ generation: OrderingRow.Generation
  ) -> Place {
    for (sort, key) in keys.enumerated() {
      count(key, sort: sort, zone: zone, generation.number, by: 1)
    }
    return Place(generation: generation.number, keys: keys)
  }

  private func displace(_ record: Int64, _ generation: Int64, _ statements: ContactStatements)
    throws
  {
    guard let found = try place(of: record, generation, statements) else { return }
    noteMove(of: record, in: generation)
    try statements.removePlace.run { statement in
      statement.bind(1, generation)
      statement.bind(2, record)
    }
    for (sort, key) in found.keys.enumerated() {
      count(key, sort: sort, zone: found.zone, generation, by: -1)
    }
  }

  /// The zone and the sort keys that are stored of a contact in one generation; `nil` if it has no place there.
  private func place(
    of record: Int64, _ generation: Int64, _ statements: ContactStatements
  ) throws -> (zone: Int64, keys: [[UInt8]])? {
    try statements.place.first { statement in
      statement.bind(1, generation)
      statement.bind(2, record)
    } read: { statement in
      (zone: statement.number(0), keys: (1...3).map { statement.bytes($0) })
    }
  }

  private func count(
    _ place: [UInt8], sort: Int, zone: Int64, _ generation: Int64, by change: Int64
  ) {
    let key = SectionCount.Key(
      generation: generation, zone: zone, sort: Int64(sort),
      section: ContactSortKey.section(of: place))
    counts[key, default: 0] += change
  }

  /// Notes that the transaction has changed the places of more contacts than are listed one by one.
  func noteMoves() { moved = nil }

  /// Notes a contact, unless its place in the lists that are being made for another language changes.
  private func noteMove(of record: Int64, in generation: Int64) {
    guard generation == standing.current.number, let moved, moved.last != record else { return }
    if moved.count < PositionCache.changesMaximum {
      self.moved?.append(record)
    } else {
      noteMoves()
    }
  }

  /// Releases the statements. They are compiled again when they are needed.
  func release() { statements = nil }

  private func prepared(_ db: Database) throws -> ContactStatements {
    if let statements { return statements }
    let made = try ContactStatements(db)
    statements = made
    return made
  }
}
