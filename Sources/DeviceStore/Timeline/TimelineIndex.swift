// Posts and comments as rows for lists and searches, written in the transaction that changes their
// record, as contacts are by ContactIndex; and the zone of the public database, which is here from
// the first start, because what is posted before the device ever met a broker waits in it.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

/// Writes what lists of the timeline read.
enum TimelineIndex {
  /// The types that are read of the public database, in the order in which they are read: a comment
  /// comes after what it is about.
  static let types = [PostRecord.type, CommentRecord.type]

  /// Makes the public database's zone, unless it is there or nobody is signed in.
  static func begin(_ db: Database) throws {
    guard try ZoneRow.load(db, .public) == nil, try !SignOut.isSignedOut(db) else { return }
    var zone = ZoneRow(
      zone: .public, title: "", knownTitle: "", role: .member, state: .present)
    try zone.store(db)
  }

  /// What people call a post or a comment; `nil` of another type.
  static func title(_ name: RecordName, type: RecordType, fields: Fields) -> String? {
    switch type {
    case PostRecord.type: PostRecord.post(named: name, fields: fields)?.title ?? "Photo"
    case CommentRecord.type:
      CommentRecord.comment(named: name, fields: fields).map { CommentText.excerpt(of: $0.text) }
        ?? ""
    default: nil
    }
  }

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
  static func enter(
    _ layers: RecordLayers, record: Int64, zone: ZoneID, in transaction: DeviceTransaction
  ) throws {
    // NB: a name may come back as another type, whoever deleted what had it before.
    switch layers.type {
    case PostRecord.type:
      try transaction.db.run("DELETE FROM comment WHERE record = ?", [record])
      try enterPost(layers, record, zone, transaction)
    case CommentRecord.type:
      try transaction.db.run("DELETE FROM post WHERE record = ?", [record])
      try enterComment(layers, record, transaction)
    default: try leave(record, transaction.db)
    }
  }

  private static func enterPost(
    _ layers: RecordLayers, _ record: Int64, _ zone: ZoneID, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let fields = layers.shown, let post = PostRecord.post(named: layers.name, fields: fields)
    else { return try leave(record, db) }
    let isNew = try !isHere(post: post.id, db)
    let time = post.timestamp.microseconds
    let author = author(of: layers, transaction)
    try db.run(
      """
      INSERT INTO post (record, name, time, digest, size, author) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (record) DO UPDATE SET time = excluded.time, digest = excluded.digest,
        size = excluded.size, author = excluded.author
      """,
      [
        record, post.id.text, time, Data(post.photo.digest), post.photo.byteCount, author?.column,
      ])
    // What others say of a post stands behind it, or its caption would be theirs to choose.
    try db.run(
      "UPDATE comment SET time = ? WHERE post = ? AND time <= ? AND author IS NOT ?",
      [time < .max ? time + 1 : time, post.id.text, time, author?.column])
    if isNew { try announceComments(of: post.id, zone, transaction) }
  }

  /// Who made the record; `nil` for this account, also before the broker told.
  private static func author(
    of layers: RecordLayers, _ transaction: DeviceTransaction
  ) -> AccountID? {
    let made = layers.ancestor.created?.origin.account
    return made == transaction.account ? nil : made
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
        title: title(name, type: CommentRecord.type, fields: fields) ?? "",
        by: transaction.author(of: try Stamp.read(row["modified"])))
    }
  }

  private static func enterComment(
    _ layers: RecordLayers, _ record: Int64, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let fields = layers.shown,
      let comment = CommentRecord.comment(named: layers.name, fields: fields)
    else { return try leave(record, db) }
    let author = author(of: layers, transaction)
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
        record, comment.post.text, comment.id.text,
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
