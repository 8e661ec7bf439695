// What only this device knows of a share: the secrets of the links that it created, and the permission for invited
// accounts. A secret is stored before the broker receives its digest. If the broker's answer is lost, the device
// still has the link.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The secret of a share link, and the digest by which the broker identifies it.
package struct LinkSecret: Hashable, Sendable {
  /// The secret.
  package let secret: ShareSecret
  /// Its SHA-256.
  package let digest: [UInt8]

  /// Creates a secret with its digest, which the caller computes.
  package init(secret: ShareSecret, digest: [UInt8]) {
    self.secret = secret
    self.digest = digest
  }
}

extension Replica {
  /// Sends a request to the broker that does not go through the outbox. `SyncAction.ordered` reports the answer under
  /// this id, immediately if there is no broker. An id is used once.
  package func give(_ order: BrokerOrder, id: UInt64) -> [SyncAction] {
    outsideStore { machine, _ in machine.give(order, id: id) }
  }

  /// Ignores the answer to a request, because no caller waits for it any more.
  package func forget(order id: UInt64) {
    _ = outsideStore { machine, _ in
      machine.forget(order: id)
      return []
    }
  }

  /// Stores a secret before its digest is sent to the broker; durable on return.
  /// - Throws: `zoneNotFound`, or `StoreError`.
  package func store(_ link: LinkSecret, of zone: ZoneID) throws {
    try database.write { db in
      guard let row = try ZoneRow.load(db, zone) else { throw RecordsError.noZone }
      try db.run(
        "INSERT OR REPLACE INTO share_link (zone, digest, secret) VALUES (?, ?, ?)",
        [row.key, Data(link.digest), Data(link.secret.bytes)])
    }
  }

  /// Deletes the secrets of a zone's former links, once the broker has reported its present link.
  /// - Parameters:
  ///   - digest: the digest of the present link; `nil` if there is none.
  ///   - known: the digests of the secrets that may be deleted.
  /// - Throws: `StoreError`.
  package func forgetSecrets(
    of zone: ZoneID, but digest: [UInt8]?, among known: Set<[UInt8]>
  ) throws {
    try database.write { db in
      guard let row = try ZoneRow.load(db, zone) else { return }
      for former in known where former != digest {
        try db.run(
          "DELETE FROM share_link WHERE zone = ? AND digest = ?", [row.key, Data(former)])
      }
    }
  }

  /// Sets the default permission of accounts that are invited to the zone.
  /// - Throws: `zoneNotFound`, or `StoreError`.
  package func store(invitation permission: SharePermission, to zone: ZoneID) throws {
    try database.write { db in
      guard let row = try ZoneRow.load(db, zone) else { throw RecordsError.noZone }
      try db.run(
        "INSERT OR REPLACE INTO invitation (zone, permission) VALUES (?, ?)",
        [row.key, Int(permission.rawValue)])
    }
  }
}

extension DeviceReader {
  /// Returns the stored secrets of the zone's links: usually one, and two while a new link replaces the old one.
  package func secrets(of zone: ZoneID) throws -> [LinkSecret] {
    try database.read { db in
      guard let row = try ZoneRow.load(db, zone) else { return [] }
      return try db.rows(
        "SELECT digest, secret FROM share_link WHERE zone = ? ORDER BY digest", [row.key]
      ).compactMap { link in
        ShareSecret(bytes: link["secret"] as Data).map {
          LinkSecret(secret: $0, digest: [UInt8](link["digest"] as Data))
        }
      }
    }
  }

  /// Returns the digests of the stored secrets of all zones.
  package func secretDigests() throws -> Set<[UInt8]> {
    try database.read { db in
      Set(try db.rows("SELECT digest FROM share_link").map { [UInt8]($0["digest"] as Data) })
    }
  }

  /// Returns the default permission of accounts that are invited to the zone: `readOnly` if none was set.
  package func invitation(to zone: ZoneID) throws -> SharePermission {
    try database.read { db in
      guard let row = try ZoneRow.load(db, zone) else { return .readOnly }
      let stored = try db.number("SELECT permission FROM invitation WHERE zone = ?", [row.key])
      return SharePermission(rawValue: UInt8(clamping: stored)).flatMap { $0 == .none ? nil : $0 }
        ?? .readOnly
    }
  }
}
