// Posts and comments as rows for lists and searches.

import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

/// Writes what lists of the timeline read.
enum TimelineIndex {
  /// Whether nobody sees the record: a comment whose post is not here.
  static func isHidden(_ type: RecordType, _ fields: Fields, _ db: Database) throws -> Bool {
    guard type == CommentRecord.type, case .reference(let post) = fields[CommentRecord.post] else {
      return false
    }
    return try !isHere(post: post.record, db)
  }

  static func isHere(post: RecordName, _ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM post WHERE name = ?)", [post.text]) > 0
  }

  /// The record shows something else than before, or nothing any more.
  static func enter(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    // NB: after a record was deleted, another of the same name can have another type.
    switch record.type {
    case PostRecord.type:
      try transaction.db.run("DELETE FROM comment WHERE record = ?", [record.row])
      try enterPost(record, transaction)
    case CommentRecord.type:
      try transaction.db.run("DELETE FROM post WHERE record = ?", [record.row])
      try enterComment(record, transaction)
    default: try leave(record.row, transaction.db)
    }
  }

  private static func enterPost(
    _ record: ProjectedRecord, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let fields = record.fields, let post = PostRecord.post(named: record.name, fields: fields)
    else { return try leave(record.row, db) }
    let isNew = try !isHere(post: post.id, db)
    let time = post.timestamp.microseconds
    let author = author(of: record, transaction)
    if let author { try AccountNameTable.enter(author, db) }
    try db.run(
      """
      INSERT INTO post (record, name, time, digest, size, author) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (record) DO UPDATE SET time = excluded.time, digest = excluded.digest,
        size = excluded.size, author = excluded.author
      """,
      [
        record.row, post.id.text, time, Data(post.photo.digest), post.photo.byteCount,
        author?.column,
      ])
    // What others say of a post stands behind it, or its caption would be theirs to choose.
    try db.run(
      "UPDATE comment SET time = ? WHERE post = ? AND time <= ? AND author IS NOT ?",
      [time < .max ? time + 1 : time, post.id.text, time, author?.column])
    if isNew { try announceComments(of: post.id, record.zone, transaction) }
  }

  /// Who made the record; `nil` for this account, also before the broker told.
  private static func author(
    of record: ProjectedRecord, _ transaction: DeviceTransaction
  ) -> AccountID? {
    record.creator == transaction.account ? nil : record.creator
  }

  /// Comments that waited for their post show now.
  private static func announceComments(
    of post: RecordName, _ zone: ZoneID, _ transaction: DeviceTransaction
  ) throws {
    let rows = try transaction.db.rows(
      """
      SELECT record.* FROM comment JOIN record ON record.id = comment.record
      WHERE comment.post = ? ORDER BY comment.time, comment.name
      """, [post.text])
    for row in rows {
      let fields = try Fields.read(row["shown"]) ?? Fields()
      let name = RecordName(stored: row["name"])
      try transaction.append(
        .created, type: CommentRecord.type, zone: zone, id: name.text,
        title: transaction.rules.title(name, type: CommentRecord.type, fields: fields),
        by: transaction.author(of: try Stamp.read(row["modified"])))
    }
  }

  private static func enterComment(
    _ record: ProjectedRecord, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let fields = record.fields,
      let comment = CommentRecord.comment(named: record.name, fields: fields)
    else { return try leave(record.row, db) }
    let author = author(of: record, transaction)
    if let author { try AccountNameTable.enter(author, db) }
    // What others say of a post stands behind it.
    let behind = try db.row(
      "SELECT time FROM post WHERE name = ? AND author IS NOT ?",
      [comment.post.text, author?.column]
    ).map { row in
      let time: Int64 = row["time"]
      return time < .max ? time + 1 : time
    }
    try db.run(
      """
      INSERT OR REPLACE INTO comment (record, post, name, time, folded, author)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        record.row, comment.post.text, comment.id.text,
        max(comment.timestamp.microseconds, behind ?? .min),
        Data(TimelineSearch.folded(comment.text)), author?.column,
      ])
  }

  /// The record is gone.
  static func leave(_ record: Int64, _ db: Database) throws {
    try db.run("DELETE FROM post WHERE record = ?", [record])
    try db.run("DELETE FROM comment WHERE record = ?", [record])
  }
}
