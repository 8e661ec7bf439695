// What lists and searches of the timeline read; all of it can be made again from the records. A comment
// whose post is not here has its row like every other: lists begin at posts, so nobody sees it, and
// it is there the moment its post is.

import DeviceStore
import GRDB

extension TimelineStore {
  /// The steps of the tables.
  package static let schema = [
    SchemaMigration("timeline 1") { db in try db.execute(sql: tables) }
  ]

  /// `post.name` is the record's name, so that lists do not read the record. A viewed photo stays until `kept_until`,
  /// regardless of the rule. `comment.folded`: see TimelineSearch.
  ///
  /// Whose a post or a comment is: `author` is NULL for this account's own, as for what the broker has
  /// not told yet. A post's caption is its author's first comment; what others say about it stands
  /// behind the post (`comment.time`), whatever clock they give.
  ///
  /// Nothing stays when a record goes, however it goes.
  private static let tables = """
    CREATE TABLE post (
      record INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      time INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      kept_until INTEGER NOT NULL DEFAULT 0,
      author BLOB
    ) STRICT;
    CREATE INDEX post_time ON post (time DESC, name);
    CREATE INDEX post_digest ON post (digest);
    CREATE TABLE comment (
      record INTEGER PRIMARY KEY,
      post TEXT NOT NULL,
      name TEXT NOT NULL,
      time INTEGER NOT NULL,
      folded BLOB NOT NULL,
      author BLOB
    ) STRICT;
    CREATE INDEX comment_post ON comment (post, time, name);
    CREATE INDEX comment_author ON comment (post, author, time, name);
    CREATE TRIGGER timeline_record_left AFTER DELETE ON record BEGIN
      DELETE FROM post WHERE record = OLD.id;
      DELETE FROM comment WHERE record = OLD.id;
    END;

    """
}
