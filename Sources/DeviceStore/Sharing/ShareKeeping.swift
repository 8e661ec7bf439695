// What only this device knows of a share: the secret of a link that was drawn here, and what was said
// about whoever is invited. A secret is kept before the broker hears its digest, so that no answer
// that gets lost makes a link nobody has.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A link's secret, and the digest by which the broker knows it.
package struct KeptSecret: Hashable, Sendable {
  /// The secret.
  package let secret: ShareSecret
  /// Its SHA-256.
  package let digest: [UInt8]

  /// A secret and its digest, which the caller has worked out.
  package init(secret: ShareSecret, digest: [UInt8]) {
    self.secret = secret
    self.digest = digest
  }
}

extension Replica {
  /// Asks something of the broker that cannot wait. `SyncAction.ordered` comes with this id; at once
  /// when there is no broker. An id is used once.
  package func give(_ order: BrokerOrder, id: UInt64) -> [SyncAction] {
    outsideStore { machine, _ in machine.give(order, id: id) }
  }

  /// Nobody waits for the answer to an order any more.
  package func forget(order id: UInt64) {
    _ = outsideStore { machine, _ in
      machine.forget(order: id)
      return []
    }
  }

  /// Keeps a secret that the broker may be told the digest of; durable on return.
  /// - Throws: `zoneNotFound`, or `StoreError`.
  package func keep(_ kept: KeptSecret, of zone: ZoneID) throws {
    try database.write { db in
      guard let row = try ZoneRow.load(db, zone) else { throw RecordsError.noZone }
      try db.run(
        "INSERT OR REPLACE INTO share_link (zone, digest, secret) VALUES (?, ?, ?)",
        [row.key, Data(kept.digest), Data(kept.secret.bytes)])
    }
  }

  /// Forgets those of `known` secrets of the zone's links that have not this digest: the broker has
  /// said which link there is; `nil` for none. By their digests.
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

  /// Notes what whoever is invited to the zone may do unless something else is said.
  /// - Throws: `StoreError`.
  package func keep(invitation permission: SharePermission, to zone: ZoneID) throws {
    try database.write { db in
      guard let row = try ZoneRow.load(db, zone) else { throw RecordsError.noZone }
      try db.run(
        "INSERT OR REPLACE INTO invitation (zone, permission) VALUES (?, ?)",
        [row.key, Int(permission.rawValue)])
    }
  }
}

extension DeviceReader {
  /// The secrets kept here of the zone's links: mostly one, and two while one takes the other's
  /// place.
  package func secrets(of zone: ZoneID) throws -> [KeptSecret] {
    try database.read { db in
      guard let row = try ZoneRow.load(db, zone) else { return [] }
      return try db.rows(
        "SELECT digest, secret FROM share_link WHERE zone = ? ORDER BY digest", [row.key]
      ).compactMap { kept in
        ShareSecret(bytes: kept["secret"] as Data).map {
          KeptSecret(secret: $0, digest: [UInt8](kept["digest"] as Data))
        }
      }
    }
  }

  /// The digests of all secrets kept here, of whichever zone.
  package func secretDigests() throws -> Set<[UInt8]> {
    try database.read { db in
      Set(try db.rows("SELECT digest FROM share_link").map { [UInt8]($0["digest"] as Data) })
    }
  }

  /// What was said on this device about whoever is invited to the zone; to read, if nothing was.
  package func invitation(to zone: ZoneID) throws -> SharePermission {
    try database.read { db in
      guard let row = try ZoneRow.load(db, zone) else { return .readOnly }
      let said = try db.number("SELECT permission FROM invitation WHERE zone = ?", [row.key])
      return SharePermission(rawValue: UInt8(clamping: said)).flatMap { $0 == .none ? nil : $0 }
        ?? .readOnly
    }
  }
}
