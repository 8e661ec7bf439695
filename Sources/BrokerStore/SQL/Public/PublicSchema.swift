/// The tables of the public database.
enum PublicSchema {
  // The public database is a zone of a reserved account. That account has an empty name, which no user can
  // choose, and is disabled, so that no device signs in to it. The assets of a public record belong to the
  // record's creator, whose quota they count against: `holder` is that account, or NULL for the zone's
  // owner. `leaver` lists deleted accounts whose public records follow, in name order, after `after`.
  static let database = """
    INSERT INTO account (id, name, created_at, is_disabled)
      VALUES (X'00000000000000000000000000000001', '', 0, 1);
    CREATE TABLE leaver (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL REFERENCES account,
      after TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    """
}
