// A device that nobody is signed in on. Signing out leaves nothing of the account on it – not its
// records, its key, its files or their bytes – and keeps what was chosen for the device itself.
// Signing in makes it a new device of an account, which begins as every new device does.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

enum SignOut {
  /// The setting that says that nobody is signed in.
  static let key = "signedOut"
  /// The setting that names the account somebody chose.
  static let account = "account"

  static func isSignedOut(_ db: Database) throws -> Bool {
    try SettingTable.value(db, key) != nil
  }

  /// Why nobody is signed in; `nil` where somebody is.
  static func reason(_ db: Database) throws -> RecordsError? {
    try SettingTable.value(db, key).map { $0 == revoked ? .revokedHere : .signedOut }
  }

  /// Who signed out: a person, or the administrator who revoked the device.
  static let person = "1"
  static let revoked = "revoked"

  /// Whether the broker says that this device has no place any more.
  static func isRevocation(_ message: BrokerMessage) -> Bool {
    switch message {
    case .error(let error), .goodbye(let error):
      error.code == .notAuthenticated && error.reason == revoked
    default: false
    }
  }

  /// Everything of the account goes; the numbers of events and notifications go on, so that whoever
  /// watches misses nothing.
  static func wipe(
    _ transaction: DeviceTransaction, key deviceKey: [UInt8], by whom: String
  ) throws {
    let db = transaction.db
    for projection in transaction.application.projections { try projection.removeAll(db) }
    for table in [
      "share_link", "invitation", "move", "layer", "record", "past", "trash", "public_alias",
      "action_edit", "action", "outbox",
      "request", "parked",
      "zone", "event", "device", "asset_use", "asset_wanted", "subscription", "hook",
      "notification", "answered",
    ] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try db.execute(sql: "UPDATE asset SET is_erased = 1, unused_since = 1")
    try db.execute(sql: "UPDATE notification_state SET position = 0")
    try db.execute(
      sql: """
        UPDATE public_state SET head = 0, last_sync = NULL, error_code = NULL,
          error_message = NULL
        """)
    try db.run(
      """
      UPDATE identity SET device_key = ?, device = NULL, account = NULL, account_name = NULL,
        last_number = 0, acknowledged = 0, directory = 0, last_sync = NULL, last_look = NULL
      """, [Data(deviceKey)])
    try db.run(
      "DELETE FROM setting WHERE key = ? OR key LIKE 'account%' OR key LIKE 'joined.%'", [account])
    try db.run("DELETE FROM setting WHERE key = 'permission.discoverability'")
    try SettingTable.set(db, key, to: whom)
    transaction.ledger = EditLedger()
    try Erasure.need(transaction)
  }
}

extension Replica {
  /// Takes everything of the account off the device, durable on return, and ends the connection.
  /// - Parameter isDiscarding: whether edits that the broker has not got may go too.
  /// - Throws: `serviceUnavailable` when there are such edits, `constraintViolation` when there are
  ///   only refused ones that their author has not seen, `notAuthenticated` when nobody is signed
  ///   in, or `StoreError`; then nothing was done.
  package func signOut(discarding isDiscarding: Bool, now: Timestamp) throws -> [SyncAction] {
    if !isDiscarding { try requireNothingToLose() }
    return try changeAccount(now) { transaction, generator in
      guard try !SignOut.isSignedOut(transaction.db) else { throw RecordsError.signedOut }
      try SignOut.wipe(
        transaction, key: DeviceIdentity.newKey(using: &generator), by: SignOut.person)
    }
  }

  private func requireNothingToLose() throws {
    let status = try reader.status()
    let waiting =
      status.waitingEdits == 1
      ? "1 edit has not reached the broker"
      : "\(status.waitingEdits) edits have not reached the broker"
    let refused =
      status.parked == 1
      ? "1 edit was rejected by the broker"
      : "\(status.parked) edits were rejected by the broker"
    let isLost =
      "signing out would lose \(status.waitingEdits + status.parked == 1 ? "it" : "them")"
    let discard = "“contactsctl signout --discard” signs out anyway."
    switch (status.waitingEdits, status.parked) {
    case (0, 0): return
    case (0, _):
      throw RecordsError(
        .constraintViolation, "\(refused); \(isLost).",
        hint: "“contactsctl refused list” shows the edits; \(discard)")
    case (_, 0):
      throw RecordsError(
        .serviceUnavailable, "\(waiting); \(isLost).",
        hint: "“contactsctl sync --wait” sends the edits; \(discard)")
    default:
      throw RecordsError(
        .serviceUnavailable, "\(waiting), and \(refused); \(isLost).",
        hint: "“contactsctl sync --wait” sends the edits; “contactsctl refused list” shows the "
          + "rejected ones; \(discard)")
    }
  }

  /// The device was revoked: what it holds is no longer its to hold, unsent edits among it – whoever
  /// has the machine now need not be who typed them.
  func revoked(now: Timestamp) throws -> [SyncAction] {
    let report = SyncAction.report("This device was revoked, and its data was erased.")
    return [report]
      + (try changeAccount(now) { transaction, generator in
        try SignOut.wipe(
          transaction, key: DeviceIdentity.newKey(using: &generator), by: SignOut.revoked)
      })
  }

  /// Goes on as the same device with the key that an administrator made for it. Nothing that is here
  /// is touched, and what waits is sent once the broker knows the key.
  /// - Throws: `notAuthenticated` when nobody is signed in, `constraintViolation` on a device that no
  ///   broker knows yet, or `StoreError`; then nothing was done.
  package func takeKey(_ key: DeviceKey, now: Timestamp) throws -> [SyncAction] {
    try changeAccount(now) { transaction, _ in
      guard try !SignOut.isSignedOut(transaction.db) else { throw RecordsError.signedOut }
      guard transaction.device != nil else {
        throw RecordsError(
          .constraintViolation,
          "This device is not registered with a broker yet, so its key cannot be replaced.",
          hint: "It creates its own key when it first connects to a broker.")
      }
      try transaction.db.run("UPDATE identity SET device_key = ?", [Data(key.bytes)])
    }
  }

  /// Makes the device a new one of this account; `nil` leaves the account to the broker.
  /// - Throws: `constraintViolation` when somebody is signed in, or `StoreError`.
  package func signIn(account: String?, now: Timestamp) throws -> [SyncAction] {
    try changeAccount(now) { transaction, _ in
      let db = transaction.db
      guard try SignOut.isSignedOut(db) else {
        throw RecordsError(
          .constraintViolation, "This device is already signed in to an account.",
          hint: "To sign out and remove the account's data: contactsctl signout")
      }
      try SettingTable.set(db, SignOut.key, to: nil)
      try SettingTable.set(db, SignOut.account, to: account)
      try DeviceIdentity.beginAccount(transaction)
    }
  }
}

extension RecordsError {
  /// Nobody is signed in on the device.
  package static var signedOut: RecordsError {
    RecordsError(
      .notAuthenticated, "This device is not signed in.",
      hint: "To sign in: contactsctl signin ACCOUNT", reason: "signedOut")
  }

  /// The device was revoked, and emptied for that.
  static var revokedHere: RecordsError {
    RecordsError(
      .notAuthenticated, "This device was revoked, and its data was erased.",
      hint: "To sign in: contactsctl signin ACCOUNT", reason: SignOut.revoked)
  }
}
