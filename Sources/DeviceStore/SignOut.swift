// Signs a device out of its account and in again. Signing out erases all data of the account: its records, its key, its
// files and their bytes. The settings of the device itself remain. Signing in makes it a new device of an account,
// which starts like any new device.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The state of a device without an account.
enum SignOut {
  /// The setting of a device that is signed out.
  static let key = "signedOut"
  /// The setting with the account name that the user chose.
  static let account = "account"

  static func isSignedOut(_ db: Database) throws -> Bool {
    try SettingTable.value(db, key) != nil
  }

  /// Returns the reason why the device is signed out; `nil` if it is signed in.
  static func reason(_ db: Database) throws -> RecordsError? {
    guard let value = try SettingTable.value(db, key) else { return nil }
    var error = value.hasPrefix(revoked) ? RecordsError.revokedHere : .signedOut
    if value.hasSuffix(invited) {
      error.hint = invitationHint
      error.field = invitationField
    }
    return error
  }

  /// The values of the setting: the user signed out, or an administrator revoked the device.
  static let person = "1"
  static let revoked = "revoked"
  /// The field of the error about a device that can only sign in with an invitation.
  static let invitationField = "invitation"
  /// The end of the value if the device had joined the account with an invitation: an account name alone leads to no
  /// broker.
  static let invited = " invited"

  static let invitationHint =
    "Join by an invitation of another device of the account, or of the administrator."

  /// Whether the message says that this device was revoked.
  static func isRevocation(_ message: BrokerMessage) -> Bool {
    switch message {
    case .error(let error), .goodbye(let error):
      error.code == .notAuthenticated && error.reason == revoked
    default: false
    }
  }

  /// Deletes all data of the account. The numbers of events and notifications continue, so that clients that watch them
  /// miss none.
  static func wipe(
    _ transaction: DeviceTransaction, key deviceKey: [UInt8], by whom: String
  ) throws {
    let db = transaction.db
    let isInvited = try SettingTable.value(db, JoinedBroker.addressSetting) != nil
    for projection in transaction.application.projections { try projection.removeAll(db) }
    for table in [
      "share_link", "invitation", "move", "layer", "record", "past", "trash", "public_alias",
      "action_edit", "action", "outbox",
      "request", "rejected_edit", "deleted_record", "deleted_zone",
      "rewind",
      "zone", "event", "device", "asset_use", "asset_wanted", "subscription", "hook",
      "notification", "answered", "account_name",
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
        former_device = NULL, former_key = NULL, last_number = 0, acknowledged = 0, directory = 0,
        last_sync = NULL, last_look = NULL
      """, [Data(deviceKey)])
    try db.run(
      "DELETE FROM setting WHERE key = ? OR key LIKE 'account%' OR key LIKE 'joined.%'", [account])
    // With the sessions of the page in the same transaction, none of them survives a sign-out.
    try db.run(
      "DELETE FROM setting WHERE key = 'permission.discoverability' OR key LIKE 'session.%'")
    try SettingTable.set(db, key, to: isInvited ? whom + invited : whom)
    transaction.ledger = EditLedger()
    try Erasure.need(transaction)
  }
}

extension Replica {
  /// Removes all data of the account from the device, durable on return, and ends the connection.
  /// - Parameter isDiscarding: whether to discard edits that the broker does not have.
  /// - Throws: `serviceUnavailable` if there are such edits, `constraintViolation` if there are only rejected ones,
  ///   `notAuthenticated` if the device is signed out, or `StoreError`; then nothing changed.
  package func signOut(discarding isDiscarding: Bool, now: Timestamp) throws -> [SyncAction] {
    if !isDiscarding { try requireNothingToLose() }
    return try changeAccount(now) { transaction, generator in
      guard try !SignOut.isSignedOut(transaction.db) else { throw RecordsError.signedOut }
      try SignOut.wipe(
        transaction, key: IdentityTable.newKey(using: &generator), by: SignOut.person)
    }
  }

  private func requireNothingToLose() throws {
    let status = try reader.status()
    let waiting =
      status.waitingEdits == 1
      ? "1 edit has not reached the broker"
      : "\(status.waitingEdits) edits have not reached the broker"
    let refused =
      status.rejectedEdits == 1
      ? "1 edit was rejected by the broker"
      : "\(status.rejectedEdits) edits were rejected by the broker"
    let isLost =
      "signing out would lose \(status.waitingEdits + status.rejectedEdits == 1 ? "it" : "them")"
    switch (status.waitingEdits, status.rejectedEdits) {
    case (0, 0): return
    case (0, _):
      throw RecordsError(
        .constraintViolation, "\(refused); \(isLost).",
        hint: "Discard them first, or sign out without them.", reason: "rejectedEdits")
    case (_, 0):
      throw RecordsError(
        .serviceUnavailable, "\(waiting); \(isLost).",
        hint: "Send them first, or sign out without them.", reason: "unsentEdits")
    default:
      throw RecordsError(
        .serviceUnavailable, "\(waiting), and \(refused); \(isLost).",
        hint: "Send the first ones, or sign out without them.", reason: "unsentAndRejectedEdits")
    }
  }

  /// Erases all data of the account because the device was revoked. Unsent edits are erased too, because the machine
  /// may have another user now.
  func revoked(now: Timestamp) throws -> [SyncAction] {
    let report = SyncAction.report("This device was revoked, and its data was erased.")
    return [report]
      + (try changeAccount(now) { transaction, generator in
        try SignOut.wipe(
          transaction, key: IdentityTable.newKey(using: &generator), by: SignOut.revoked)
      })
  }

  /// Continues as the same device with a key that an administrator created for it. No data changes, and pending edits
  /// are sent once the broker knows the key.
  /// - Throws: `notAuthenticated` if the device is signed out, `constraintViolation` if no broker knows the device yet,
  ///   or `StoreError`; then nothing changed.
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

  /// Makes the device a new one of this account; `nil` if the broker chooses the account.
  /// - Throws: `constraintViolation` if the device is signed in, or `StoreError`.
  package func signIn(account: String?, now: Timestamp) throws -> [SyncAction] {
    try changeAccount(now) { transaction, _ in
      let db = transaction.db
      guard try SignOut.isSignedOut(db) else {
        throw RecordsError(
          .constraintViolation, "This device is already signed in to an account.",
          hint: "Sign out first, which removes the account's data here.",
          reason: "signedIn")
      }
      try SettingTable.set(db, SignOut.key, to: nil)
      try SettingTable.set(db, SignOut.account, to: account)
      try IdentityTable.beginAccount(transaction)
    }
  }
}

extension RecordsError {
  /// The error for a device that is signed out.
  package static var signedOut: RecordsError {
    RecordsError(
      .notAuthenticated, "This device is not signed in.",
      hint: "Sign in first.", reason: "signedOut")
  }

  /// The error for a device that was revoked and whose data was erased.
  static var revokedHere: RecordsError {
    RecordsError(
      .notAuthenticated, "This device was revoked, and its data was erased.",
      hint: "Sign in first.", reason: SignOut.revoked)
  }
}
