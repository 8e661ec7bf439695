// Copies a broker's records from one store to another, of any kind. Rows are copied as they are, with their keys and
// incarnations, so that devices notice nothing.
//
// The rows of a table are copied in key order, a page in each transaction. So the last row of an unfinished copy says
// where to go on. Triggers are switched off, because the rows that they write are copied too.
//
// Asset files are copied one by one, after the rows that name them. A file that is there already is compared with its
// digest, and not written again.
//
// The order at the end makes it safe to stop at any moment: the copy is verified and marked as complete, then the source is
// sealed, and then the copy is published under the name that a broker opens. So at most one of the two serves. A copy keeps
// `CopyOrigin` until it is published for good.

import AssetFiles
import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections
import SQLiteFile

/// A copy of a store. No broker may use the two stores as long as it exists.
package final class StoreCopy {
  /// A table of the copy and the number of its rows.
  package struct CopiedRows: Hashable, Sendable {
    /// The table's name.
    package let table: String
    /// The number of its rows.
    package let count: Int
  }

  /// What has just been done. After each, the program can be killed without harm.
  package enum Step: Hashable, Sendable {
    /// The unfinished copy exists, without rows.
    case begun
    /// A page of a table's rows is committed.
    case written(table: String)
    /// An asset file was written and is intact.
    case filed(Asset)
    /// All asset files are at the target and intact.
    case verifiedFiles(CopiedFiles.Count)
    /// A table has the same rows on both sides.
    case verified(CopiedRows)
    /// No broker serves from the source.
    case sealed
    /// The copy has the name that a broker opens.
    case published
  }

  private let source: any CopyPlace
  private let target: any CopyPlace
  private let bounds: CopyBounds
  private let observe: (Step) throws -> Void

  /// Prepares a copy.
  /// - Parameter observe: Is called after each step. An error ends the copy, which can be repeated.
  /// - Throws: `StoreError`: `inUse` if a broker is connected to one of the databases.
  package init(
    from source: StoreAddress, to target: StoreAddress, bounds: CopyBounds = CopyBounds(),
    observe: @escaping (Step) throws -> Void = { _ in }
  ) throws {
    guard source != target else { throw Refusal.sameStore }
    self.source = try Self.place(source)
    self.target = try Self.place(target)
    self.bounds = bounds
    self.observe = observe
  }

  /// The name of the source once it is sealed, for sentences.
  package var sealedName: String { source.sealedName }

  private static func place(_ address: StoreAddress) throws -> any CopyPlace {
    do {
      return switch address {
      case .directory(let path): SQLiteCopyPlace(directory: path)
      case .server(let address): try PostgreSQLCopyPlace(address: address)
      }
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }

  /// Copies and verifies the records, seals the source, and publishes the copy. Goes on where an earlier run was
  /// interrupted.
  /// - Parameter discards: Whether an unfinished copy is deleted first. A complete one of a sealed source is kept.
  /// - Throws: `Refusal` or `StoreError`. The source serves as before then, unless it was sealed already.
  package func run(discards: Bool = false) throws {
    do {
      guard try source.hasStore() else { return try finishSealed() }
      if discards { try target.discardCopy() }
      guard try !source.hasSealedStore() else { throw Refusal.hasSealedStore(source.sealedName) }
      try requireTargetWithoutRecords()
      let store = try source.openStore()
      try requireKnownTables(of: store)
      try complete(store)
      try store.close()
      try source.seal()
      try observe(.sealed)
      try finishSealed()
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw StoreError(ofCopy: error)
    }
  }

  // MARK: Before

  private func requireTargetWithoutRecords() throws {
    guard try target.hasStore() else { return }
    let store = try target.openStore()
    let hasAccounts = try store.hasAccounts()
    try store.close()
    guard !hasAccounts else { throw Refusal.targetHasRecords(target.name) }
  }

  private func requireKnownTables(of store: any CopyDatabase) throws {
    let known = Set(try CopiedTable.all.get().map(\.name)).union([CopyOrigin.table])
    let unknown = try store.read { try store.tables(in: $0) }.subtracting(known)
    guard let table = unknown.min() else { return }
    throw Refusal.unknownTable(table, source.name)
  }

  // MARK: Copying

  /// Copies and verifies everything, and marks the copy as complete.
  private func complete(_ store: any CopyDatabase) throws {
    let copy = try openCopy(of: CopyOrigin.digest(of: store, bounds))
    try CopyOrigin.setComplete(false, in: copy)
    for table in try CopiedTable.all.get() { try write(table, from: store, to: copy) }
    try writeFiles(of: store)
    for table in try CopiedTable.all.get() { try verify(table, store, copy) }
    // On a server, this commit is confirmed only when all before it are durable too.
    try CopyOrigin.setComplete(true, in: copy)
    try copy.close()
  }

  private func openCopy(of digest: String) throws -> any CopyDatabase {
    if let copy = try target.openCopy() {
      guard try CopyOrigin.read(from: copy)?.digest == digest else {
        throw Refusal.otherCopy(target.copyName)
      }
      return copy
    }
    let copy = try target.beginCopy(of: digest)
    try observe(.begun)
    return copy
  }

  private func write(
    _ table: CopiedTable, from store: any CopyDatabase, to copy: any CopyDatabase
  ) throws {
    var key = try copy.lastKey(of: table)
    while true {
      let rows = try store.rows(of: table, after: key, bounds)
      guard let last = rows.last else { break }
      if !copy.storesNUL { try requireNoNUL(rows, table) }
      try copy.write { db in
        let insertion = try db.statement(table.insertion)
        for row in rows {
          SQLArguments(row).bind(to: insertion)
          try insertion.execute()
        }
      }
      key = table.key(of: last)
      try observe(.written(table: table.name))
    }
    if table.hasGivenKeys { try reserveKeys(table, from: store, to: copy) }
  }

  private func writeFiles(of store: any CopyDatabase) throws {
    let files = CopiedFiles(
      rows: store, source: try source.storeFiles(), target: try target.copyFiles())
    let count = try files.copy { try observe(.filed($0)) }
    try target.confirmFiles()
    try observe(.verifiedFiles(count))
  }

  private func reserveKeys(
    _ table: CopiedTable, from store: any CopyDatabase, to copy: any CopyDatabase
  ) throws {
    let last = try store.read { try store.lastGivenKey(of: table, in: $0) }
    guard last > 0 else { return }
    try copy.write { try copy.reserveKeys(of: table, through: last, in: $0) }
  }

  private func requireNoNUL(_ rows: [[SQLValue]], _ table: CopiedTable) throws {
    for row in rows {
      for (column, value) in zip(table.columns, row) {
        guard case .text(let text) = value, text.utf8.contains(0) else { continue }
        let key = zip(table.key, table.key(of: row)).map { "\($0) \($1.shown)" }
        throw Refusal.textWithNUL(
          column: "\(table.name).\(column)", row: key.joined(separator: ", "))
      }
    }
  }

  private func verify(
    _ table: CopiedTable, _ store: any CopyDatabase, _ copy: any CopyDatabase
  ) throws {
    let expected = try store.digest(of: table, bounds)
    let found = try copy.digest(of: table, bounds)
    guard expected.count == found.count, expected.bytes == found.bytes else {
      throw Refusal.differs(
        table: table.name, expected: expected.count, found: found.count, target.copyName)
    }
    try observe(.verified(CopiedRows(table: table.name, count: found.count)))
  }

  // MARK: Afterwards

  /// Publishes the copy of a sealed source, unless an earlier run has done so.
  private func finishSealed() throws {
    guard try source.hasSealedStore() else { throw Refusal.noStore(source.name) }
    let sealed = try source.openSealedStore()
    let digest = try CopyOrigin.digest(of: sealed, bounds)
    try sealed.close()
    if let copy = try target.openCopy() {
      let origin = try CopyOrigin.read(from: copy)
      guard origin?.digest == digest, origin?.isComplete == true else {
        try copy.close()
        throw Refusal.sourceIsSealed(source.sealedName)
      }
      try requireTargetWithoutRecords()
      try target.publish(copy)
      try observe(.published)
    }
    guard try target.hasStore() else { throw Refusal.sourceIsSealed(source.sealedName) }
    let store = try target.openStore()
    guard try CopyOrigin.read(from: store)?.digest == digest else {
      try store.close()
      throw Refusal.sourceIsSealed(source.sealedName)
    }
    try target.confirmName()
    try CopyOrigin.remove(from: store)
    try store.close()
  }
}

extension CopyDatabase {
  /// Whether the store has an account apart from the one that owns public databases.
  func hasAccounts() throws -> Bool {
    let account: Int? = try read {
      try $0.value("SELECT 1 FROM account WHERE id != ? LIMIT 1", [AccountID.public.bytes])
    }
    return account != nil
  }
}

extension SQLValue {
  /// The value for an administrator: a text without control characters, bytes as their digits.
  fileprivate var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .text(let text):
      "“\(String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init)))”"
    case .bytes(let bytes):
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

extension StoreError {
  /// Converts an error of one of the two databases of a copy.
  fileprivate init(ofCopy error: any Error) {
    let converted = StoreError(ofPostgreSQL: error)
    self = converted.kind == .unexpected ? StoreError(error, path: "of the copy") : converted
  }
}
