import BrokerCore
import Records
import SQLConnections

extension RecordTable {
  /// The changes of a zone that a client has not read, by other devices than that of `identity`. Reads the rows of the feed
  /// after what it has read, and stops above `UnseenChanges.countMaximum`. States that it had read before the broker was
  /// restored are none.
  func changes(
    unreadIn versions: VersionVector, in zone: StoredZone, besidesThoseOf identity: SessionIdentity
  ) throws -> UnseenChanges {
    var counts: [StoreKey: Int] = [:]
    var count = 0
    var after = zone.revision(readIn: versions)
    var rows: [SQLRow] = []
    repeat {
      rows = try rowsOfOthers(after: after, in: zone, identity)
      for row in rows {
        let former = (row[2] as [UInt8]?).flatMap {
          FormerVersion(stored: $0, with: Revision(row[1]))
        }
        if let former, former.isExact, versions.includesNewest(of: former.versions) { continue }
        counts[row[0], default: 0] += 1
        count += 1
      }
      if let last = rows.last { after = Revision(last[1]) }
    } while rows.count == Self.rowsPerStep && count <= UnseenChanges.countMaximum
    return UnseenChanges(count: count, authors: try authors(counts, of: identity.account))
  }

  /// The rows that are read at once. Any number of them may be states that the client has.
  private static let rowsPerStep = 500

  private func rowsOfOthers(
    after revision: Revision, in zone: StoredZone, _ identity: SessionIdentity
  ) throws -> [SQLRow] {
    try db.rows(
      """
      SELECT modified_device, revision, former_versions FROM record
      WHERE zone = ? AND revision > ? AND kind = 0 AND modified_device <> ?
      ORDER BY revision LIMIT ?
      """, [zone.key, revision.value, identity.deviceKey, Self.rowsPerStep])
  }

  /// The names of the devices of `account` and of the other accounts that made changes, the one with the most first.
  private func authors(_ counts: [StoreKey: Int], of account: AccountID) throws -> [String] {
    var authors: [String] = []
    for device in counts.keys.sorted(by: { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }) {
      let author = try db.first(
        """
        SELECT account.id, coalesce(nullif(account.display_name, ''), account.name), device.name
        FROM device JOIN account ON account.key = device.account WHERE device.key = ?
        """, [device]
      ) { row -> String in
        AccountID(bytes: row[0] as [UInt8]) == account ? row[2] : row[1]
      }
      if let author, !authors.contains(author) { authors.append(author) }
    }
    return authors
  }
}

extension VersionVector {
  /// Whether a client that has read this much has read a state of a former history that contains `versions`. Their last
  /// revision is the state's own.
  fileprivate func includesNewest(of versions: VersionVector) -> Bool {
    guard let own = versions.entries.max(by: { $0.revision < $1.revision }) else { return false }
    return self[own.incarnation].map { $0 >= own.revision } ?? false
  }
}
