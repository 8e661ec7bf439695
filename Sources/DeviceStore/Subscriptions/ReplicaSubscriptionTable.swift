// What saving and deleting here, the broker's answers and its directory do to the table of
// subscriptions.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum ReplicaSubscriptionTable {
  /// Notes that a subscription is to be saved.
  /// - Throws: `limitExceeded` when there are too many.
  static func save(
    _ form: SubscriptionForm, forThisDevice isForThisDevice: Bool, _ db: Database
  ) throws {
    var row = try SubscriptionRow.load(db, form.id) ?? SubscriptionRow(id: form.id)
    if row.known == nil, row.wish == .none {
      let count = try db.number("SELECT count(*) FROM subscription")
      guard count < DeviceLimits.subscriptions else {
        throw RecordsError(
          .limitExceeded,
          "Too many subscriptions on this device; the limit is \(DeviceLimits.subscriptions).",
          hint: "Delete one first: contactsctl unsubscribe ID")
      }
    }
    row.wish = .save
    row.wished = form
    row.isForThisDevice = isForThisDevice
    row.generation = try nextGeneration(db)
    row.error = nil
    try row.store(db)
  }

  /// Notes that a subscription is to be deleted. One that the broker never took is simply gone.
  /// - Throws: `unknownItem`.
  static func delete(_ id: SubscriptionID, _ db: Database) throws {
    guard var row = try SubscriptionRow.load(db, id), row.wish != .delete else {
      throw RecordsError(
        .unknownItem, "There is no subscription “\(id.text.prefix(80))”.",
        hint: "To see all: contactsctl subscriptions")
    }
    row.wish = row.wish == .refused ? .none : .delete
    row.wished = nil
    row.generation = try nextGeneration(db)
    row.error = nil
    try row.store(db)
    try HookTable.remove(id, db)
  }

  private static func nextGeneration(_ db: Database) throws -> Int64 {
    Int64(try db.number("SELECT coalesce(max(generation), 0) + 1 FROM subscription"))
  }

  /// The wishes that wait, the oldest first.
  static func wishes(_ db: Database, device: DeviceID?) throws -> [SubscriptionWish] {
    try db.rows(
      """
      SELECT * FROM subscription WHERE wish IN (1, 2) ORDER BY generation
      LIMIT \(SyncMachine.wishesPerLook)
      """
    ).map { try SubscriptionRow($0).request(from: device) }
  }

  /// How many wishes of people wait.
  static func waiting(_ db: Database, _ rules: ApplicationRules) throws -> Int {
    try db.number("SELECT count(*) FROM subscription WHERE wish IN (1, 2) AND \(isOfPeople(rules))")
  }

  /// The condition that a subscription is not one that the application saves for itself.
  static func isOfPeople(_ rules: ApplicationRules) -> String {
    let own = rules.ownSubscriptionIDs.map { "'\($0.text)'" }.sorted()
    return "id NOT IN (\(own.joined(separator: ", ")))"
  }

  /// Whether the broker has the subscriptions that report all changes of the public types.
  static func reportPublicRecords(_ db: Database, _ rules: ApplicationRules) throws -> Bool {
    try db.number(
      "SELECT count(*) FROM subscription WHERE known IS NOT NULL AND NOT (\(isOfPeople(rules)))")
      == rules.ownSubscriptionIDs.count
  }

  // MARK: Answers

  /// The broker did what was wished.
  static func keep(_ wish: SubscriptionWish, _ db: Database) throws {
    guard var row = try SubscriptionRow.load(db, wish.id) else { return }
    row.known = wish.form
    row.isOff = false
    if row.generation == wish.generation {
      row.wish = .none
      row.wished = nil
      row.error = nil
    }
    try row.store(db)
  }

  /// The broker will not do what was wished. What it had before holds.
  static func refuse(
    _ wish: SubscriptionWish, because error: RecordsError, _ db: Database
  ) throws {
    guard var row = try SubscriptionRow.load(db, wish.id), row.generation == wish.generation
    else { return }
    row.error = error
    row.wish = row.known == nil && row.wish == .save ? .refused : .none
    if row.wish == .none { row.wished = nil }
    try row.store(db)
  }

  /// Another identity was taken: what belonged to the former device is saved anew.
  static func renew(ofFormer device: DeviceID, _ db: Database) throws {
    for found in try db.rows("SELECT * FROM subscription WHERE wish = 0") {
      let row = try SubscriptionRow(found)
      guard let form = row.known, form.device == device else { continue }
      try save(form.belonging(to: nil), forThisDevice: true, db)
    }
  }

  // MARK: The directory

  /// Takes up what the directory tells.
  static func apply(
    _ states: [SubscriptionState], isWhole: Bool, _ transaction: DeviceTransaction
  ) throws {
    for state in states {
      try apply(state.form, failure: state.failure, to: state.id, transaction)
    }
    guard isWhole else { return }
    let named = Set(states.map(\.id))
    let present = try transaction.db.rows(
      "SELECT id FROM subscription WHERE known IS NOT NULL OR wish = 4")
    for found in present {
      let id = SubscriptionID(stored: found["id"])
      if !named.contains(id) { try apply(nil, failure: nil, to: id, transaction) }
    }
  }

  private static func apply(
    _ form: SubscriptionForm?, failure: RecordsError?, to id: SubscriptionID,
    _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let isThere = form != nil || failure != nil
    guard var row = try SubscriptionRow.load(db, id) ?? (isThere ? SubscriptionRow(id: id) : nil)
    else { return }
    row.known = form
    row.isOff = form != nil && failure != nil
    if row.wish == .unreadable || form != nil && row.wish == .refused {
      row.wish = .none
      row.wished = nil
    }
    if row.wish == .none {
      row.error = failure
      if form == nil, isThere {
        row.wish = .unreadable
        try HookTable.replaced(id, transaction)
      } else {
        try HookTable.told(form, of: id, transaction)
      }
    }
    try row.store(db)
  }
}
