import BrokerCore
import Records
import SQLConnections

extension RecordTable {
  /// The changes of a zone above a revision by other devices than that of `identity`. Reads the rows of the feed after
  /// the revision, and stops counting above `UnseenChanges.countMaximum`.
  func changes(
    since revision: Revision, zone: StoreKey, besidesThoseOf identity: SessionIdentity
  ) throws -> UnseenChanges {
    let rows = try db.rows(
      """
      SELECT account.id, coalesce(nullif(account.display_name, ''), account.name), device.name, count(*)
      FROM (
        SELECT modified_device FROM record
        WHERE zone = ? AND revision > ? AND kind = 0 AND modified_device <> ? LIMIT ?) AS changed
      JOIN device ON device.key = changed.modified_device
      JOIN account ON account.key = device.account
      GROUP BY device.key, account.key ORDER BY count(*) DESC, device.key
      """, [zone, revision.value, identity.deviceKey, UnseenChanges.countMaximum + 1])
    var count = 0
    var authors: [String] = []
    for row in rows {
      let (account, person, device, changes): ([UInt8], String, String, Int) =
        (row[0], row[1], row[2], row[3])
      count += changes
      let author = AccountID(bytes: account) == identity.account ? device : person
      if !authors.contains(author) { authors.append(author) }
    }
    return UnseenChanges(count: count, authors: authors)
  }
}
