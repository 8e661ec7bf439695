// What lists and searches of the timeline read; all of it can be made again from the records. A comment
// whose post is not here has its row like every other: lists begin at posts, so nobody sees it, and
// it is there the moment its post is.

enum TimelineSchema {
  /// `post.name` is the record's, so that lists need no look at it. `kept_until`: somebody looked at
  /// the photo, so it stays until then, whatever the rule says. `comment.folded`: see TimelineSearch.
  static let tables = """
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
    CREATE TABLE timeline_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      head INTEGER NOT NULL DEFAULT 0,
      last_sync INTEGER,
      error_code TEXT,
      error_message TEXT
    ) STRICT;
    INSERT INTO timeline_state (id) VALUES (1);

    """
}
