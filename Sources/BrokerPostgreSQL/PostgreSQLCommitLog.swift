// The order of all commits to a database. The row of `commit_mark` is the turn to write: a transaction locks it, so that
// one broker at a time writes, and raises its position. It leaves a row in `commit_log`, with its random mark and what
// other brokers must know of it. Each row names the mark before, so that a history with other commits is noticed.

import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// The tables `commit_mark` and `commit_log`.
struct PostgreSQLCommitLog {
  static let schema = """
    CREATE TABLE commit_mark (
      id bigint PRIMARY KEY CHECK (id = 1),
      number bigint NOT NULL,
      position bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50);
    INSERT INTO commit_mark VALUES (1, 0);
    CREATE TABLE commit_log (
      position bigint PRIMARY KEY,
      mark bigint NOT NULL,
      previous_mark bigint NOT NULL,
      committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      notice bytea NOT NULL
    );
    """

  /// What a transaction finds when its turn has come.
  struct Turn {
    /// The last commit.
    let last: CommitPosition
    /// The server's time.
    let time: Timestamp
    /// Whether commits wait for a synchronous standby.
    let hasStandby: Bool
    /// The oldest version of the schema that a broker must know.
    let oldestVersion: Int
  }

  /// A row of the log.
  struct Row {
    let position: CommitPosition
    let previousMark: Int64
    let notice: [UInt8]
  }

  /// How long rows are kept. A broker that was away longer starts again.
  private static let keptInterval = "10 minutes"
  /// The rows that one transaction deletes, and the commits between two that do.
  private static let rowsPerDeletion: Int64 = 512
  /// The rows that are read at once.
  private static let rowsPerRead: Int64 = 200

  let connection: PostgreSQLConnection

  // MARK: Reading

  /// Waits for the turn to write, and holds it until the transaction ends.
  func takeTurn() throws -> Turn {
    try turn("\(Self.turn) FOR UPDATE")
  }

  /// Reads the last commit of the transaction's snapshot.
  func last() throws -> Turn {
    try turn(Self.turn)
  }

  private static let turn = """
    SELECT position, number, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
      current_setting('synchronous_standby_names') <> '', (SELECT oldest FROM schema_version)
    FROM commit_mark WHERE id = 1
    """

  private func turn(_ sql: String) throws -> Turn {
    let turn = try connection.first(sql) { row in
      Turn(
        last: CommitPosition(number: row[0], mark: row[1]),
        time: Timestamp(microseconds: row[2]), hasStandby: row[3], oldestVersion: row[4])
    }
    guard let turn else { throw Self.damaged }
    return turn
  }

  /// The rows after a position, the oldest first; not all, if there are many.
  func rows(after position: CommitPosition) throws -> [Row] {
    try connection.rows(
      """
      SELECT position, mark, previous_mark, notice FROM commit_log
      WHERE position > ? ORDER BY position LIMIT \(Self.rowsPerRead)
      """, [position.number]
    ).map { row in
      Row(
        position: CommitPosition(number: row[0], mark: row[1]), previousMark: row[2],
        notice: row[3])
    }
  }

  /// Whether a position is in the log.
  func has(_ position: CommitPosition) throws -> Bool {
    try connection.value(
      "SELECT count(*) = 1 FROM commit_log WHERE position = ? AND mark = ?",
      [position.number, position.mark]) ?? false
  }

  // MARK: Writing

  /// Writes the row of the open transaction, which has the turn. Now and then it deletes old rows.
  func append(_ position: CommitPosition, after previous: CommitPosition, notice: [UInt8]) throws {
    try connection.run(
      "UPDATE commit_mark SET position = ?, number = ? WHERE id = 1",
      [position.number, position.mark])
    try connection.run(
      "INSERT INTO commit_log (position, mark, previous_mark, notice) VALUES (?, ?, ?, ?)",
      [position.number, position.mark, previous.mark, notice])
    guard position.number.isMultiple(of: Self.rowsPerDeletion / 2) else { return }
    try connection.run(
      """
      DELETE FROM commit_log WHERE position <= (SELECT min(position) FROM commit_log) + ?
        AND position < ? AND committed_at < now() - interval '\(Self.keptInterval)'
      """, [Self.rowsPerDeletion, position.number])
  }

  // MARK: Durability

  /// Returns the last commit. All that it and those before it wrote is durable then, on a synchronous standby too: a
  /// commit that the server confirms covers the earlier ones.
  /// - Throws: `CommitUnknown` if the server did not confirm it.
  func confirmLast() throws -> CommitPosition {
    connection.begin(isReadOnly: false)
    defer { connection.rollback() }
    let last = try connection.first(
      "UPDATE commit_mark SET number = number RETURNING position, number"
    ) { CommitPosition(number: $0[0], mark: $0[1]) }
    guard let last else { throw Self.damaged }
    try connection.commit()
    return last
  }

  /// Makes sure that all that this connection has seen is durable, on a synchronous standby too, without waiting for the
  /// turn to write.
  /// - Throws: `CommitUnknown` if the server did not confirm it.
  func confirmSeen() throws {
    connection.begin(isReadOnly: false)
    defer { connection.rollback() }
    // A message in the server's log that no program reads: a transaction without one would not wait for the standby.
    _ = try connection.rows(
      "SELECT pg_logical_emit_message(true, 'contacts-broker', '') IS NOT NULL")
    try connection.commit()
  }

  private static let damaged = StoreError(.damaged, "The table commit_mark has no row.")
}
