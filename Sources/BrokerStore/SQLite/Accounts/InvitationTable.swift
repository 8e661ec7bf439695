// Invitations for devices on other machines. The broker has the key of an invitation's proofs and not its
// code, so a stolen database does not let a thief join by it over a connection that the broker serves.

import BrokerCore
import FoundationEssentials
import GRDB
import Pairing
import Records
import SQLiteFile

/// The `device_invitation` table.
struct InvitationTable {
  let db: Database

  /// How long an expired invitation is kept, so that a device learns why it cannot be used.
  private static let keptSeconds: Int64 = 86_400

  static let schema = """
    CREATE TABLE device_invitation (
      id BLOB PRIMARY KEY,
      proof_key BLOB NOT NULL,
      account INTEGER NOT NULL REFERENCES account,
      expires_at INTEGER NOT NULL,
      used_by BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_invitation_account ON device_invitation (account);
    CREATE INDEX device_key ON device (key_digest);

    """

  func insert(_ offer: InvitationOffer, of account: StoreKey, at now: Timestamp) throws {
    try db.run(
      "DELETE FROM device_invitation WHERE expires_at < ?",
      [now.adding(seconds: -Self.keptSeconds).microseconds])
    let usable =
      try db.first(
        """
        SELECT count(*) FROM device_invitation
        WHERE account = ? AND used_by IS NULL AND expires_at > ?
        """, [account, now.microseconds]
      ) { $0[0] as Int } ?? 0
    guard usable < BrokerLimits.invitationsPerAccount else {
      throw RecordsError.limit(
        "Unused invitations of an account", limit: BrokerLimits.invitationsPerAccount,
        actual: usable + 1)
    }
    guard try invitation(offer.id) == nil else {
      throw RecordsError(
        .constraintViolation, "There is an invitation with this id already.",
        hint: "Create another one.")
    }
    try db.run(
      "INSERT INTO device_invitation VALUES (?, ?, ?, ?, NULL)",
      [
        Data(offer.id.bytes), Data(offer.key), account,
        now.adding(seconds: offer.seconds).microseconds,
      ])
  }

  func invitation(_ id: InvitationID) throws -> StoredInvitation? {
    try db.first(
      """
      SELECT proof_key, expires_at, used_by, \(AccountTable.columns)
      FROM device_invitation JOIN account ON account.key = device_invitation.account
      WHERE device_invitation.id = ?
      """, [Data(id.bytes)]
    ) { row in
      StoredInvitation(
        key: InvitationKey(id: id, bytes: [UInt8](row[0] as Data)),
        account: try AccountTable.account(row, from: 3),
        expires: Timestamp(microseconds: row[1]), usedBy: (row[2] as Data?).map { [UInt8]($0) })
    }
  }

  func use(_ invitation: StoredInvitation, forKeyDigest digest: [UInt8]) throws {
    try db.run(
      "UPDATE device_invitation SET used_by = ? WHERE id = ?",
      [Data(digest), Data(invitation.key.id.bytes)])
    // A device that has signed in since has a row with its key, and needs no admission.
    let isKnown = try db.first(
      "SELECT EXISTS (SELECT 1 FROM device WHERE key_digest = ?)", [Data(digest)]
    ) { $0[0] as Bool }
    guard isKnown != true else { return }
    try AccountTable(db: db).admit(keyDigest: digest, to: invitation.account.key)
  }
}

extension SQLiteTransaction {
  func store(_ offer: InvitationOffer, of account: StoreKey, at now: Timestamp) throws {
    try InvitationTable(db: db).insert(offer, of: account, at: now)
  }

  func invitation(_ id: InvitationID) throws -> StoredInvitation? {
    try InvitationTable(db: db).invitation(id)
  }

  func use(_ invitation: StoredInvitation, forKeyDigest digest: [UInt8]) throws {
    try InvitationTable(db: db).use(invitation, forKeyDigest: digest)
  }
}
