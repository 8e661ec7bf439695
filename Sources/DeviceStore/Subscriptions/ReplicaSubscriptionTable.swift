// Updates the table of subscriptions after local changes, the broker's answers, and changes of the directory.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `subscription` table.
enum ReplicaSubscriptionTable {
  /// Enqueues the saving of a subscription.
  /// - Throws: `limitExceeded` if there are too many.
  static func save(
    _ form: SubscriptionForm, forThisDevice isForThisDevice: Bool, _ db: Database
  ) throws {
    var row = try SubscriptionRow.load(db, form.id) ?? SubscriptionRow(id: form.id)
    if row.known == nil, row.pendingChange == .none {
      let count = try db.number("SELECT count(*) FROM subscription")
      guard count < DeviceLimits.subscriptions else {
        throw RecordsError(
          .limitExceeded,
          "Too many subscriptions on this device; the limit is \(DeviceLimits.subscriptions).",
          hint: "Delete one first.", reason: "subscriptions")
      }
    }
    row.pendingChange = .save
    row.pendingForm = form
    row.isForThisDevice = isForThisDevice
    row.generation = try nextGeneration(db)
    row.error = nil
    try row.store(db)
  }

  /// Enqueues the deletion of a subscription. One that the broker rejected is deleted at once.
  /// - Throws: `unknownItem`.
  static func delete(_ id: SubscriptionID, _ db: Database) throws {
    guard var row = try SubscriptionRow.load(db, id), row.pendingChange != .delete else {
      throw RecordsError(
        .unknownItem, "There is no subscription “\(id.text.prefix(80))”.",
        reason: "noSuchSubscription")
    }
    row.pendingChange = row.pendingChange == .refused ? .none : .delete
    row.pendingForm = nil
    row.generation = try nextGeneration(db)
    row.error = nil
    try row.store(db)
    try HookTable.remove(id, db)
  }

  private static func nextGeneration(_ db: Database) throws -> Int64 {
    Int64(try db.number("SELECT coalesce(max(generation), 0) + 1 FROM subscription"))
  }

  /// Returns the pending changes, oldest first.
  static func pendingChanges(
    _ db: Database, device: DeviceID?
  ) throws -> [PendingSubscriptionChange] {
    try db.rows(
      """
      SELECT * FROM subscription WHERE pending_change IN (1, 2) ORDER BY generation
      LIMIT \(SyncMachine.subscriptionChangesPerLook)
      """
    ).map { try SubscriptionRow($0).request(from: device) }
  }

  /// The number of pending changes that users made.
  static func waiting(_ db: Database, _ rules: ApplicationRules) throws -> Int {
    try db.number(
      "SELECT count(*) FROM subscription WHERE pending_change IN (1, 2) AND \(isOfPeople(rules))")
  }

  /// The SQL condition that excludes the application's own subscriptions.
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

  /// Applies a change that the broker confirmed.
  static func confirm(_ change: PendingSubscriptionChange, _ db: Database) throws {
    guard var row = try SubscriptionRow.load(db, change.id) else { return }
    row.known = change.form
    row.isOff = false
    if row.generation == change.generation {
      row.pendingChange = .none
      row.pendingForm = nil
      row.error = nil
    }
    try row.store(db)
  }

  /// Drops a change that the broker rejected. The broker's former subscription remains.
  static func refuse(
    _ change: PendingSubscriptionChange, because error: RecordsError,
    _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard var row = try SubscriptionRow.load(db, change.id), row.generation == change.generation
    else { return }
    row.error = transaction.rules.sentences.error(error)
    row.pendingChange = row.known == nil && row.pendingChange == .save ? .refused : .none
    if row.pendingChange == .none { row.pendingForm = nil }
    try row.store(db)
  }

  /// Saves the subscriptions of the former device again, because this device has a new identity.
  static func renew(ofFormer device: DeviceID, _ db: Database) throws {
    for found in try db.rows("SELECT * FROM subscription WHERE pending_change = 0") {
      let row = try SubscriptionRow(found)
      guard let form = row.known, form.device == device else { continue }
      try save(form.belonging(to: nil), forThisDevice: true, db)
    }
  }

  // MARK: The directory

  /// Applies the subscriptions of the directory.
  static func apply(
    _ states: [SubscriptionState], isWhole: Bool, _ transaction: DeviceTransaction
  ) throws {
    for state in states {
      try apply(state.form, failure: state.failure, to: state.id, transaction)
    }
    guard isWhole else { return }
    let named = Set(states.map(\.id))
    let present = try transaction.db.rows(
      "SELECT id FROM subscription WHERE known IS NOT NULL OR pending_change = 4")
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
    if row.pendingChange == .unreadable || form != nil && row.pendingChange == .refused {
      row.pendingChange = .none
      row.pendingForm = nil
    }
    if row.pendingChange == .none {
      row.error = failure.map(transaction.rules.sentences.error)
      if form == nil, isThere {
        row.pendingChange = .unreadable
        try HookTable.removeChanged(id, transaction)
      } else {
        try HookTable.apply(form, to: id, transaction)
      }
    }
    try row.store(db)
  }
}
