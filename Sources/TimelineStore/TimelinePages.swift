// Reads of the timeline. Lists begin at posts, so a comment whose post is not here is nowhere; each
// method is one read transaction.

import DeviceStore
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
    let start = try query.cursor.map(TimelinePlace.init)
    return try read { db in
      var found: [PostView] = []
      var place = start
      // One more than a page tells whether there is another.
      while found.count <= query.limit {
        let rows = try Self.postRows(db, behind: place, search: query.search)
        for row in rows {
          let view = try Self.post(row, db)
          place = TimelinePlace(time: row["post_time"], name: row["post_name"])
          if let view, query.states.contains(view.state) { found.append(view) }
          if found.count > query.limit { break }
        }
        if rows.count < Self.postsPerLook { break }
      }
      let page = Array(found.prefix(query.limit))
      let last = found.count > query.limit ? page.last : nil
      return PostPage(posts: page, next: last.map { TimelinePlace($0.post).text })
    }
  }

  private static let postsPerLook = 200

  private static func postRows(
    _ db: Database, behind place: TimelinePlace?, search: TimelineSearch?
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
    try read { db in
      try db.row("\(Self.postSelection) WHERE post.name = ? AND shown IS NOT NULL", [name.text])
        .flatMap { try Self.post($0, db) }
    }
  }

  /// A page of a post's comments, oldest first.
  /// - Parameter cursor: where the page before ended (`CommentPage.next`).
  /// - Throws: `invalidArguments` for a cursor that is none.
  package func comments(
    of post: RecordName, behind cursor: String? = nil
  ) throws -> CommentPage {
    var place = try cursor.map(TimelinePlace.init)
    return try read { db in
      var list = CommentList()
      while list.hasRoom {
        let rows = try db.rows(
          """
          \(Self.commentSelection) WHERE comment.post = ? AND shown IS NOT NULL
            AND (comment.time, comment.name) > (?, ?)
          ORDER BY comment.time, comment.name LIMIT \(Self.commentsPerLook)
          """, [post.text, place?.time ?? .min, place?.name ?? ""])
        for row in rows where list.hasRoom {
          place = TimelinePlace(time: row["comment_time"], name: row["comment_name"])
          if let view = try Self.comment(row) { list.add(view) }
        }
        guard rows.count == Self.commentsPerLook || !list.hasRoom else { break }
      }
      return CommentPage(comments: list.views, next: list.hasRoom ? nil : place?.text)
    }
  }

  /// This account's comments on a post that the broker has not got.
  func unsentComments(of post: RecordName) throws -> [RecordID] {
    try read { db in
      try db.rows(
        """
        SELECT record.name FROM comment JOIN record ON record.id = comment.record
        WHERE comment.post = ? AND comment.author IS NULL AND record.layered = 1
          AND record.shown IS NOT NULL
        ORDER BY comment.time, comment.name
        """, [post.text]
      ).map { RecordID(zone: .public, name: RecordName(stored: $0[0])) }
    }
  }

  private static let commentsPerLook = 100

  /// The comment of this name, if its post is here.
  package func comment(named name: RecordName) throws -> CommentView? {
    try read { db in
      try db.row(
        """
        \(Self.commentSelection) WHERE record.name = ? AND shown IS NOT NULL
          AND EXISTS (SELECT 1 FROM post WHERE post.name = comment.post)
        """, [name.text]
      ).flatMap(Self.comment)
    }
  }

  /// The comments of some states whose posts are here, newest first: a page of them at most.
  package func comments(_ states: Set<SyncState>) throws -> [CommentView] {
    try read { db in
      // NB: only numbers are put in order; the texts of all would be too much to hold.
      let records = try db.rows(
        """
        SELECT comment.record FROM comment JOIN record ON record.id = comment.record
        WHERE shown IS NOT NULL AND layered >= ?
          AND EXISTS (SELECT 1 FROM post WHERE post.name = comment.post)
        ORDER BY comment.time DESC, comment.name
        """, [!states.contains(.synced)]
      ).map { $0[0] as Int64 }
      var list = CommentList()
      for record in records where list.hasRoom {
        let row = try db.row("\(Self.commentSelection) WHERE comment.record = ?", [record])
        guard let view = try row.flatMap(Self.comment), states.contains(view.state) else {
          continue
        }
        list.add(view)
      }
      return list.views
    }
  }

  /// How the timeline stands.
  package func timelineStanding() throws -> TimelineStanding {
    try read { db in
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
      let last = try db.row("SELECT last_sync FROM public_state")?["last_sync"] as Int64?
      return TimelineStanding(
        unsyncedPosts: try waiting(PostRecord.type),
        unsyncedComments: try waiting(CommentRecord.type), wantedPhotos: wanted?["photos"] ?? 0,
        wantedPhotoBytes: wanted?["bytes"] ?? 0,
        lastSync: last.map { Timestamp(microseconds: $0) })
    }
  }

  // MARK: Rows

  private static let postSelection = """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device,
      post.time AS post_time, post.name AS post_name, post.author AS post_author,
      (SELECT flight IS NOT NULL FROM layer WHERE layer.record = record.id) AS flying,
      EXISTS (SELECT 1 FROM asset WHERE asset.digest = post.digest) AS photo_here,
      (SELECT count(*) FROM comment WHERE comment.post = post.name) AS comments
    FROM post JOIN record ON record.id = post.record JOIN zone ON zone.id = record.zone
    """

  private static let commentSelection = """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device,
      comment.time AS comment_time, comment.name AS comment_name,
      (SELECT flight IS NOT NULL FROM layer WHERE layer.record = record.id) AS flying
    FROM comment JOIN record ON record.id = comment.record JOIN zone ON zone.id = record.zone
    """

  private static func post(_ row: Row, _ db: Database) throws -> PostView? {
    let view = try DeviceReader.record(row)
    guard let post = PostRecord.post(named: view.id.name, fields: view.fields) else { return nil }
    // NB: the author's own first comment. The time of a comment is what its author's device claims.
    let caption = try db.row(
      """
      SELECT record.name, record.shown FROM comment JOIN record ON record.id = comment.record
      WHERE comment.post = ? AND comment.author IS ?
      ORDER BY comment.time, comment.name LIMIT 1
      """, [post.id.text, row["post_author"] as Data?])
    let said = try caption.map { try Fields.read($0["shown"]) ?? Fields() }
    let author = try author(row)
    return PostView(
      record: view, post: post, author: author.account, isOwn: author.isOwn,
      state: state(row, view),
      caption: said.flatMap { CommentRecord.comment(named: post.id, fields: $0)?.text },
      captionName: caption.map { RecordName(stored: $0["name"]) },
      comments: row["comments"], isPhotoHere: row["photo_here"])
  }

  private static func comment(_ row: Row) throws -> CommentView? {
    let view = try DeviceReader.record(row)
    guard let comment = CommentRecord.comment(named: view.id.name, fields: view.fields) else {
      return nil
    }
    let author = try author(row)
    return CommentView(
      record: view, comment: comment, author: author.account, isOwn: author.isOwn,
      state: state(row, view), isEdited: try isEdited(row))
  }

  /// Whether the record changed after the broker had it. What was typed before counts as its first text.
  private static func isEdited(_ row: Row) throws -> Bool {
    guard let created = try Stamp.read(row["created"]) else { return false }
    return try row["layered"] || Stamp.read(row["modified"]) != created
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

/// Comments that are read one by one, until they are as many as one page may have.
private struct CommentList {
  private(set) var views: [CommentView] = []
  private var byteCount = 0

  var hasRoom: Bool {
    views.count < DeviceLimits.rowsPerList && byteCount < TimelineStore.commentBytesPerPage
  }

  mutating func add(_ view: CommentView) {
    views.append(view)
    byteCount += view.comment.text.utf8.count
  }
}

/// A place in a list of posts or comments.
private struct TimelinePlace {
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
      throw RecordsError.invalid(
        "The cursor is invalid. Use the “next” value of the previous page.", field: "cursor")
    }
    self.init(time: time, name: String(parts[1]))
  }

  var text: String { "\(time):\(name)" }
}
