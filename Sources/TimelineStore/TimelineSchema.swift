// What lists and searches of the timeline read; all of it can be made again from the records. A comment
// whose post is not here has its row like every other: lists begin at posts, so nobody sees it, and
// it is there the moment its post is.

import DeviceStore
import GRDB
import Records
import SQLiteFile
import Timeline

extension TimelineStore {
  /// The steps of the tables.
  package static let schema = [
    // NB: the first releases created these tables along with those of the replica, at first without authors.
    SchemaMigration("timeline 1") { db in
      if try !db.tableExists("post") { try db.execute(sql: tables) }
      guard try !db.columns(in: "post").contains(where: { $0.name == "author" }) else { return }
      try db.execute(sql: leftovers)
      try addAuthors(db)
    },
    SchemaMigration("timeline 2") { db in try enterAuthors(db) },
  ]

  /// `post.name` is the record's name, so that lists do not read the record. A viewed photo stays until `kept_until`,
  /// regardless of the rule. `comment.folded`: see TimelineSearch.
  private static let tables = """
    CREATE TABLE post (
      record INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      time INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      kept_until INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX post_time ON post (time DESC, name);
    CREATE INDEX post_digest ON post (digest);
    CREATE TABLE comment (
      record INTEGER PRIMARY KEY,
      post TEXT NOT NULL,
      name TEXT NOT NULL,
      time INTEGER NOT NULL,
      folded BLOB NOT NULL
    ) STRICT;
    CREATE INDEX comment_post ON comment (post, time, name);

    """

  /// Whose a post or a comment is: `author` is NULL for this account's own, as for what the broker has
  /// not told yet. A post's caption is its author's first comment; what others say about it stands
  /// behind the post (`comment.time`), whatever clock they give. Texts longer than any that can be said
  /// are none.
  private static let authors = """
    ALTER TABLE post ADD COLUMN author BLOB;
    ALTER TABLE comment ADD COLUMN author BLOB;
    DELETE FROM comment WHERE length(folded) > \(3 * CommentText.bytesMaximum);
    CREATE INDEX comment_author ON comment (post, author, time, name);

    """

  /// Has the tables know authors, also those of what is here.
  private static func addAuthors(_ db: Database) throws {
    try db.execute(sql: authors)
    let own = AccountID(column: try db.row("SELECT account FROM identity")?["account"])
    for table in ["post", "comment"] {
      let rows = try db.rows(
        """
        SELECT record.id, record.created FROM \(table) JOIN record ON record.id = \(table).record
        WHERE record.created IS NOT NULL
        """)
      for row in rows {
        guard let author = try? Stamp.read(row["created"])?.origin.account, author != own else {
          continue
        }
        try db.run(
          "UPDATE \(table) SET author = ? WHERE record = ?",
          [author.column, row["id"] as Int64])
      }
    }
    try db.run(
      """
      UPDATE comment SET time = (SELECT post.time + 1 FROM post WHERE post.name = comment.post)
      WHERE EXISTS (SELECT 1 FROM post WHERE post.name = comment.post
        AND comment.author IS NOT post.author AND comment.time <= post.time
        AND post.time < \(Int64.max))
      """)
  }

  /// Requests the names of the authors of all posts and comments.
  private static func enterAuthors(_ db: Database) throws {
    let rows = try db.rows(
      """
      SELECT author FROM post WHERE author IS NOT NULL
      UNION SELECT author FROM comment WHERE author IS NOT NULL
      """)
    for row in rows {
      guard let author = AccountID(column: row["author"]) else { continue }
      try AccountNameTable.enter(author, db)
    }
  }

  /// What is left of records that are gone, or are something else now, goes; from here on nothing
  /// stays when a record goes, however it goes.
  private static let leftovers = """
    DELETE FROM post WHERE NOT EXISTS (
      SELECT 1 FROM record WHERE record.id = post.record AND record.type = 'Post'
        AND record.shown IS NOT NULL);
    DELETE FROM comment WHERE NOT EXISTS (
      SELECT 1 FROM record WHERE record.id = comment.record AND record.type = 'Comment'
        AND record.shown IS NOT NULL);
    CREATE TRIGGER timeline_record_left AFTER DELETE ON record BEGIN
      DELETE FROM post WHERE record = OLD.id;
      DELETE FROM comment WHERE record = OLD.id;
    END;

    """
}
