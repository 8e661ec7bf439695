// Joining an account on a broker of another machine, by an invitation. Where the broker is and which key it
// has belongs to the account: signing out forgets both.

import Crypto
import FoundationEssentials
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The broker that this device joined by an invitation.
package struct JoinedBroker: Hashable, Sendable {
  /// Its addresses, each HOST:PORT, in the order in which to try them.
  package let addresses: [String]
  /// The SHA-256 of its public key.
  package let keyDigest: [UInt8]

  package init(addresses: [String], keyDigest: [UInt8]) {
    self.addresses = addresses
    self.keyDigest = keyDigest
  }

  static let addressSetting = "joined.address"
  static let keySetting = "joined.key"
}

extension DeviceReader {
  /// The broker that this device joined; `nil` if it has joined none.
  package func joinedBroker() throws -> JoinedBroker? {
    try database.read { db in
      guard let text = try SettingTable.value(db, JoinedBroker.addressSetting),
        let key = try SettingTable.value(db, JoinedBroker.keySetting),
        let digest = Data(base64Encoded: key)
      else { return nil }
      return JoinedBroker(
        addresses: text.split(separator: ",").map(String.init), keyDigest: [UInt8](digest))
    }
  }

  /// The SHA-256 of this device's key, under which a broker admits it.
  package func deviceKeyDigest() throws -> [UInt8] {
    let key: Data? = try database.read { db in
      try db.row("SELECT device_key FROM identity WHERE id = 1")?["device_key"]
    }
    guard let key else { throw StoreError(.damaged, "The database lacks the device's own row.") }
    return Array(SHA256.hash(data: key))
  }

  /// Whether this device belongs to the account already.
  /// - Parameter brokerKeyDigest: The broker of the account; `nil` for any broker.
  /// - Throws: `constraintViolation` if the device belongs to an account of another name.
  package func belongs(to accountName: String, at brokerKeyDigest: [UInt8]? = nil) throws -> Bool {
    let isSameBroker =
      try brokerKeyDigest == nil || joinedBroker()?.keyDigest == brokerKeyDigest
    return try database.read { try Joining.isMember($0, of: accountName) } && isSameBroker
  }

  /// Checks that this device may join an account.
  /// - Parameter brokerKeyDigest: As for `belongs`.
  /// - Returns: the number of records on this device that the user added or changed and that are not the account's.
  /// - Throws: `constraintViolation` if the device belongs to an account of another name.
  package func ownRecords(
    beforeJoining accountName: String, at brokerKeyDigest: [UInt8]? = nil
  ) throws -> Int {
    if try belongs(to: accountName, at: brokerKeyDigest) { return 0 }
    return try database.read { try Joining.ownRecords($0, rules) }
  }

  /// Whether the device is signed out of an account that it had joined with an invitation.
  package func needsInvitation() throws -> Bool {
    try database.read { db in
      try SettingTable.value(db, SignOut.key)?.hasSuffix(SignOut.invited) ?? false
    }
  }

  /// Why the device has no account; `nil` if it has one, or never had one.
  package func signOutReason() throws -> RecordsError? {
    try database.read { try SignOut.reason($0) }
  }
}

extension Replica {
  /// Makes the device one of an account that a broker has admitted it to, and connects.
  /// - Parameters:
  ///   - isReplacing: Whether the records on the device are deleted. Otherwise they become the account's.
  ///   - deviceKeyDigest: The key that the broker has admitted.
  /// - Throws: `constraintViolation` if the device belongs to an account of another name, or has another key since;
  ///   or `StoreError`. Then nothing changed.
  package func join(
    _ broker: JoinedBroker, of accountName: String, isReplacing: Bool, deviceKeyDigest: [UInt8],
    now: Timestamp
  ) throws -> [SyncAction] {
    guard try reader.deviceKeyDigest() == deviceKeyDigest else {
      throw RecordsError(
        .constraintViolation, "The device was signed out while it joined an account.",
        hint: "Use a new invitation.", reason: "otherKey")
    }
    return try changeAccount(now) { transaction, _ in
      let db = transaction.db
      _ = try Joining.isMember(db, of: accountName)
      let isSignedOut = try SignOut.isSignedOut(db)
      if isReplacing, !isSignedOut {
        // NB: the key stays. It is the one that the broker has admitted.
        let key: Data = try db.row("SELECT device_key FROM identity WHERE id = 1")?[0] ?? Data()
        try SignOut.wipe(transaction, key: [UInt8](key), by: SignOut.person)
      }
      if isReplacing || isSignedOut {
        try SettingTable.set(db, SignOut.key, to: nil)
        try IdentityTable.beginAccount(transaction)
      }
      // The invitation admits the key. Another broker must not learn the key of the former device.
      try db.run("UPDATE identity SET former_device = NULL, former_key = NULL")
      // The hello names the account, so that the broker refuses if the key belongs to another by then.
      try SettingTable.set(db, SignOut.account, to: accountName)
      try SettingTable.set(
        db, JoinedBroker.addressSetting, to: broker.addresses.joined(separator: ","))
      try SettingTable.set(
        db, JoinedBroker.keySetting, to: Data(broker.keyDigest).base64EncodedString())
    }
  }
}

private enum Joining {
  /// Whether the device belongs to the account.
  /// - Throws: `constraintViolation` if it belongs to another one.
  static func isMember(_ db: Database, of accountName: String) throws -> Bool {
    let known: String? = try db.row("SELECT account_name FROM identity WHERE id = 1")?[0]
    guard let known else { return false }
    guard known == accountName else {
      throw RecordsError(
        .constraintViolation, "This device is already signed in to the account “\(known)”.",
        hint: "Sign out first, which removes the account's data here.",
        reason: "signedIn")
    }
    return true
  }

  /// The records that are not first records as they were: those of the main type, or of all types in an application
  /// without one.
  static func ownRecords(_ db: Database, _ rules: ApplicationRules) throws -> Int {
    try db.number(
      """
      SELECT count(*) FROM record LEFT JOIN layer ON layer.record = record.id
      WHERE (record.type = ? OR ? = '') AND record.shown IS NOT NULL
        AND (layer.bundled IS NULL OR layer.bundled <> record.shown)
      """, [rules.mainType.text, rules.mainType.text])
  }
}
