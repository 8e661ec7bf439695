// The timeline on a replica: posts and comments of the public database, in order, with their photos.

import DeviceStore
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

/// The tables of posts and comments that lists and searches read.
package final class TimelineStore: Projection {
  /// Texts of comments in one page, in bytes: a post may have many comments, which must not all be in memory at once.
  static let commentBytesPerPage = 1 << 20

  /// Which photos are kept here; `nil` until the transaction needs it.
  private var knownRule: PhotoRule?

  /// A timeline.
  package init() {}

  /// What the replica has to know about posts and comments.
  package static func addRules(to rules: inout ApplicationRules) {
    rules.titles[PostRecord.type] = { name, fields in
      PostRecord.post(named: name, fields: fields)?.title ?? "Photo"
    }
    rules.titles[CommentRecord.type] = { name, fields in
      CommentRecord.comment(named: name, fields: fields).map { CommentText.excerpt(of: $0.text) }
        ?? ""
    }
    rules.publicTypes += [PostRecord.type, CommentRecord.type]
    rules.ownSubscriptions += TimelineSubscription.ownForms
  }

  // MARK: Projection

  package func begin(_ db: Database) throws { knownRule = nil }

  package func isHidden(_ record: ProjectedRecord, _ db: Database) throws -> Bool {
    try record.zone.isPublic && TimelineIndex.isHidden(record.type, record.seen, db)
  }

  package func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    guard record.zone.isPublic else { return }
    try TimelineIndex.enter(record, in: transaction)
  }

  package func remove(record: Int64, _ db: Database) throws { try TimelineIndex.leave(record, db) }

  /// Nothing: the public database's zone is never removed.
  package func remove(zone: Int64, _ db: Database) throws {}

  package func removeAll(_ db: Database) throws {
    for table in ["post", "comment"] { try db.execute(sql: "DELETE FROM \(table)") }
  }

  package func wants(
    _ asset: Asset, of record: ProjectedRecord, in transaction: DeviceTransaction
  ) throws -> Bool {
    guard record.zone.isPublic, let fields = record.fields,
      let post = PostRecord.post(named: record.name, fields: fields)
    else { return false }
    return try rule(transaction.db).wants(post, at: transaction.now)
  }

  package func changed(setting: String, at now: Timestamp, _ db: Database) throws -> Bool {
    guard PhotoRule.settings.contains(setting) else { return false }
    knownRule = nil
    try PhotoRule.load(db).renewWants(at: now, db)
    return true
  }

  package func clockWentBack(to now: Timestamp, _ db: Database) throws {
    try PhotoRule.load(db).renewWants(at: now, db)
  }

  package func evict(at now: Timestamp, limit: Int, _ db: Database) throws -> [AssetDigest] {
    try PhotoEviction.evict(db, at: now, limit: limit)
  }

  private func rule(_ db: Database) throws -> PhotoRule {
    if let knownRule { return knownRule }
    let rule = try PhotoRule.load(db)
    knownRule = rule
    return rule
  }
}
