// Invitations for devices on other machines, and the keys of devices that they have admitted. The broker has
// the key of an invitation's proofs and not its code, so a stolen database does not let a thief join by it over
// a connection that the broker serves.

import BrokerCore
import FoundationEssentials
import Pairing
import Records
import SQLConnections

/// The `device_invitation` and `admission` tables.
struct InvitationTable {
  let db: any SQLConnection

  /// How long an expired invitation is kept, so that a device learns why it cannot be used.
  private static let keptSeconds: Int64 = 86_400
  /// The time within which an admitted device has to sign in for the first time.
  private static let admissionSeconds: Int64 = 600

  static let schema = """
    CREATE TABLE device_invitation (
      id BLOB PRIMARY KEY,
      proof_key BLOB NOT NULL,
      account INTEGER NOT NULL REFERENCES account,
      maker INTEGER,
      expires_at INTEGER NOT NULL,
      used_by BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_invitation_account ON device_invitation (account);
    CREATE TABLE admission (
      key_digest BLOB PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      maker INTEGER,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_key ON device (key_digest);

    """

  // MARK: Invitations

  /// - Parameter maker: the row of the device that makes the invitation; `nil` for the administrator.
  func insert(
    _ offer: InvitationOffer, of account: StoreKey, maker: StoreKey?, at now: Timestamp
  ) throws {
    try db.run(
      "DELETE FROM device_invitation WHERE expires_at < ?",
      [now.adding(seconds: -Self.keptSeconds).microseconds])
    // Also those that were used: each can admit a key.
    let recent =
      try db.first(
        "SELECT count(*) FROM device_invitation WHERE account = ? AND expires_at > ?",
        [account, now.microseconds]
      ) { $0[0] as Int } ?? 0
    guard recent < BrokerLimits.invitationsPerAccount else {
      throw RecordsError.limit(
        "Invitations of an account that have not expired",
        limit: BrokerLimits.invitationsPerAccount, actual: recent + 1)
    }
    guard try invitation(offer.id) == nil else {
      throw RecordsError(
        .constraintViolation, "There is an invitation with this id already.",
        hint: "Create another one.")
    }
    try db.run(
      """
      INSERT INTO device_invitation (id, proof_key, account, maker, expires_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        offer.id.bytes, offer.key, account, maker,
        now.adding(seconds: offer.seconds).microseconds,
      ])
  }

  func invitation(_ id: InvitationID) throws -> StoredInvitation? {
    try db.first(
      """
      SELECT proof_key, expires_at, used_by, \(AccountTable.columns), maker
      FROM device_invitation JOIN account ON account.key = device_invitation.account
      WHERE device_invitation.id = ?
      """, [id.bytes]
    ) { row in
      StoredInvitation(
        key: InvitationKey(id: id, bytes: row[0]),
        account: try AccountTable.account(row, from: 3), maker: row[8],
        expires: Timestamp(microseconds: row[1]), usedBy: (row[2] as [UInt8]?).map { $0 })
    }
  }

  // MARK: Admissions

  /// Admits a device's key to the invitation's account.
  /// - Returns: `false` if the key is one of another account, or of a removed device. Then nothing was changed.
  func use(
    _ invitation: StoredInvitation, forKeyDigest digest: [UInt8], at now: Timestamp
  ) throws -> Bool {
    let account = invitation.account.key
    let owners = try db.rows(
      """
      SELECT account, 1, is_revoked FROM device WHERE key_digest = ?1
      UNION ALL SELECT account, 0, 0 FROM admission WHERE key_digest = ?1 AND expires_at > ?2
      """, [digest, now.microseconds]
    ).map { row in
      (account: row[0] as StoreKey, isDevice: row[1] as Bool, isRemoved: row[2] as Bool)
    }
    guard owners.allSatisfy({ $0.account == account && !$0.isRemoved }) else { return false }
    try db.run(
      "UPDATE device_invitation SET used_by = ? WHERE id = ?",
      [digest, invitation.key.id.bytes])
    // A device that has signed in has a row with its key, and needs no admission.
    guard !owners.contains(where: \.isDevice) else { return true }
    try db.run("DELETE FROM admission WHERE expires_at < ?", [now.microseconds])
    try db.run(
      """
      INSERT INTO admission (key_digest, account, maker, expires_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key_digest) DO UPDATE SET account = excluded.account, maker = excluded.maker,
        expires_at = excluded.expires_at
      """,
      [
        digest, account, invitation.maker,
        now.adding(seconds: Self.admissionSeconds).microseconds,
      ])
    return true
  }

  /// The account to which an invitation has admitted the device with this key, or `nil`.
  func account(admitting keyDigest: [UInt8], at now: Timestamp) throws -> StoredAccount? {
    try db.first(
      """
      SELECT \(AccountTable.columns) FROM admission JOIN account ON account.key = admission.account
      WHERE key_digest = ? AND expires_at > ?
      """, [keyDigest, now.microseconds]
    ) { try AccountTable.account($0, from: 0) }
  }

  /// The device has signed in: its own row has the key now.
  func forgetAdmission(of keyDigest: [UInt8]) throws {
    try db.run("DELETE FROM admission WHERE key_digest = ?", [keyDigest])
  }

  // MARK: Removal

  /// A device was revoked: what it has made lets no other device in any more.
  func delete(madeBy device: StoreKey) throws {
    try db.run("DELETE FROM device_invitation WHERE maker = ?", [device])
    try db.run("DELETE FROM admission WHERE maker = ?", [device])
  }

  /// A device's key was replaced: the former one lets no device in any more.
  func delete(usedByKeyDigest digest: [UInt8]) throws {
    try db.run("DELETE FROM device_invitation WHERE used_by = ?", [digest])
    try forgetAdmission(of: digest)
  }

  /// An account is deleted.
  func delete(of account: StoreKey) throws {
    try db.run("DELETE FROM device_invitation WHERE account = ?", [account])
    try db.run("DELETE FROM admission WHERE account = ?", [account])
  }
}

extension SQLTransaction {
  var invitations: InvitationTable { InvitationTable(db: db) }

  func store(
    _ offer: InvitationOffer, of account: StoreKey, maker: StoreKey?, at now: Timestamp
  ) throws {
    try invitations.insert(offer, of: account, maker: maker, at: now)
  }

  func invitation(_ id: InvitationID) throws -> StoredInvitation? {
    try invitations.invitation(id)
  }

  func use(
    _ invitation: StoredInvitation, forKeyDigest digest: [UInt8], at now: Timestamp
  ) throws -> Bool {
    try invitations.use(invitation, forKeyDigest: digest, at: now)
  }
}
