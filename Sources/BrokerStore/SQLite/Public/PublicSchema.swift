// The public database is a zone of an account that is nobody's: one row, which has no name, so that no
// person can have it, and is disabled, so that nobody signs in as it. A public record's files are not
// its zone's owner's but its creator's, who is charged for them: `holder` says who, where it is not the
// owner. `leaver` are accounts that were deleted while they had public records, which have still to be
// looked for behind the name `after`.

/// The tables of the public database.
enum PublicSchema {
  static let database = """
    INSERT INTO account (id, name, created_at, is_disabled)
      VALUES (X'00000000000000000000000000000001', '', 0, 1);
    ALTER TABLE asset_use ADD COLUMN holder INTEGER;
    CREATE TABLE leaver (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL REFERENCES account,
      after TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    """
}
