// Reads of the timeline. Lists begin at posts, so a comment whose post is not here is nowhere; each
// method is one read transaction.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

extension DeviceReader {
  /// Posts, newest first.
  /// - Throws: `invalidArguments` for a cursor or a limit that is none.
  package func posts(_ query: PostQuery) throws -> PostPage {
    guard (1...1000).contains(query.limit) else {
      throw RecordsError.invalid("A page has 1 to 1000 posts.", field: "limit")
    }
    let start = try query.cursor.map(PostCursor.init)
    return try database.read { db in
      var found: [PostView] = []
      var place = start
      // One more than a page tells whether there is another.
      while found.count <= query.limit {
        let rows = try Self.postRows(db, behind: place, search: query.search)
        for row in rows {
          let view = try Self.post(row, db)
          place = PostCursor(time: row["post_time"], name: row["post_name"])
          if let view, query.states.contains(view.state) { found.append(view) }
          if found.count > query.limit { break }
        }
        if rows.count < Self.postsPerLook { break }
      }
      let page = Array(found.prefix(query.limit))
      let last = found.count > query.limit ? page.last : nil
      return PostPage(posts: page, next: last.map { PostCursor($0.post).text })
    }
  }

  private static let postsPerLook = 200

  private static func postRows(
    _ db: Database, behind place: PostCursor?, search: TimelineSearch?
  ) throws -> [Row] {
    var condition = ""
    var arguments = StatementArguments()
    if let place {
      condition += " AND (post.time < ? OR post.time = ? AND post.name > ?)"
      arguments += [place.time, place.time, place.name]
    }
    if let search, !search.words.isEmpty {
      let words = search.words.map { _ in " AND instr(comment.folded, ?) > 0" }.joined()
      condition +=
        " AND EXISTS (SELECT 1 FROM comment WHERE comment.post = post.name\(words))"
      arguments += StatementArguments(search.words.map { Data($0) })
    }
    return try db.rows(
      """
      \(postSelection) WHERE shown IS NOT NULL\(condition)
      ORDER BY post.time DESC, post.name LIMIT \(postsPerLook)
      """, arguments)
  }

  /// The post of this name; `nil` when there is none.
  package func post(named name: RecordName) throws -> PostView? {
    try database.read { db in
      try db.row("\(Self.postSelection) WHERE post.name = ? AND shown IS NOT NULL", [name.text])
        .flatMap { try Self.post($0, db) }
    }
  }

  /// A post's comments, oldest first; 10,000 at most.
  package func comments(of post: RecordName) throws -> [CommentView] {
    try database.read { db in
      try db.rows(
        """
        \(Self.commentSelection) WHERE comment.post = ? AND shown IS NOT NULL
        ORDER BY comment.time, comment.name LIMIT \(Self.commentsMaximum)
        """, [post.text]
      ).compactMap(Self.comment)
    }
  }

  private static let commentsMaximum = 10_000

  /// The comment of this name, if its post is here.
  package func comment(named name: RecordName) throws -> CommentView? {
    try database.read { db in
      try db.row(
        """
        \(Self.commentSelection) WHERE record.name = ? AND shown IS NOT NULL
          AND EXISTS (SELECT 1 FROM post WHERE post.name = comment.post)
        """, [name.text]
      ).flatMap(Self.comment)
    }
  }

  /// The comments of some states whose posts are here, newest first, 1,000 at most.
  package func comments(_ states: Set<SyncState>) throws -> [CommentView] {
    try database.read { db in
      let isAboutUnsynced = !states.contains(.synced)
      let rows = try db.rows(
        """
        \(Self.commentSelection) WHERE shown IS NOT NULL AND layered >= ?
          AND EXISTS (SELECT 1 FROM post WHERE post.name = comment.post)
        ORDER BY comment.time DESC, comment.name
        """, [isAboutUnsynced])
      return Array(
        try rows.compactMap(Self.comment).filter { states.contains($0.state) }
          .prefix(DeviceLimits.rowsPerList))
    }
  }

  /// How the timeline stands.
  package func timelineStanding() throws -> TimelineStanding {
    try database.read { db in
      let wanted = try db.row(
        """
        SELECT count(*) AS photos, coalesce(sum(size), 0) AS bytes FROM asset_wanted
        WHERE owner = ?
        """, [AccountID.public.column])
      func waiting(_ type: RecordType) throws -> Int {
        try db.number(
          """
          SELECT count(*) FROM layer JOIN record ON record.id = layer.record
          JOIN zone ON zone.id = record.zone WHERE zone.owner = ? AND record.type = ?
          """, [AccountID.public.column, type.text])
      }
      let last = try db.row("SELECT last_sync FROM timeline_state")?["last_sync"] as Int64?
      return TimelineStanding(
        unsyncedPosts: try waiting(PostRecord.type),
        unsyncedComments: try waiting(CommentRecord.type), wantedPhotos: wanted?["photos"] ?? 0,
        wantedPhotoBytes: wanted?["bytes"] ?? 0,
        lastSync: last.map { Timestamp(microseconds: $0) })
    }
  }

  // MARK: Rows

  private static let postSelection = """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name, 0 AS namesake,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device,
      post.time AS post_time, post.name AS post_name,
      (SELECT flight IS NOT NULL FROM layer WHERE layer.record = record.id) AS flying,
      EXISTS (SELECT 1 FROM asset WHERE asset.digest = post.digest) AS photo_here,
      (SELECT count(*) FROM comment WHERE comment.post = post.name) AS comments
    FROM post JOIN record ON record.id = post.record JOIN zone ON zone.id = record.zone
    """

  private static let commentSelection = """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name, 0 AS namesake,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device,
      (SELECT flight IS NOT NULL FROM layer WHERE layer.record = record.id) AS flying
    FROM comment JOIN record ON record.id = comment.record JOIN zone ON zone.id = record.zone
    """

  private static func post(_ row: Row, _ db: Database) throws -> PostView? {
    let view = try record(row)
    guard let post = PostRecord.post(named: view.id.name, fields: view.fields) else { return nil }
    let caption = try db.row(
      """
      SELECT record.shown FROM comment JOIN record ON record.id = comment.record
      WHERE comment.post = ? ORDER BY comment.time, comment.name LIMIT 1
      """, [post.id.text])
    let said = try caption.map { try Fields.read($0[0]) ?? Fields() }
    let author = try author(row)
    return PostView(
      record: view, post: post, author: author.account, isOwn: author.isOwn,
      state: state(row, view),
      caption: said.flatMap { CommentRecord.comment(named: post.id, fields: $0)?.text },
      comments: row["comments"], isPhotoHere: row["photo_here"])
  }

  private static func comment(_ row: Row) throws -> CommentView? {
    let view = try record(row)
    guard let comment = CommentRecord.comment(named: view.id.name, fields: view.fields) else {
      return nil
    }
    let author = try author(row)
    return CommentView(
      record: view, comment: comment, author: author.account, isOwn: author.isOwn,
      state: state(row, view))
  }

  /// Who made the record; one whose maker nobody told yet was made here.
  private static func author(_ row: Row) throws -> (account: AccountID?, isOwn: Bool) {
    let own = AccountID(column: row["own_account"])
    let made = try Stamp.read(row["created"])?.origin.account
    return (made ?? own, made == nil || made == own)
  }

  private static func state(_ row: Row, _ view: RecordView) -> SyncState {
    if view.isSynced { return .synced }
    return row["flying"] as Bool? == true ? .syncing : .unsynced
  }
}

/// A place in the list of posts.
private struct PostCursor {
  let time: Int64
  let name: String

  init(time: Int64, name: String) {
    self.time = time
    self.name = name
  }

  init(_ post: Post) {
    self.init(time: post.timestamp.microseconds, name: post.id.text)
  }

  /// Reads what `text` wrote.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let time = Int64(parts[0]) else {
      throw RecordsError.invalid("The cursor is none of this list's.", field: "cursor")
    }
    self.init(time: time, name: String(parts[1]))
  }

  var text: String { "\(time):\(name)" }
}
