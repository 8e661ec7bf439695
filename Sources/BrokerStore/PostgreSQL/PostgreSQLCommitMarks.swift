import PostgreSQLConnections
import Records
import SQLConnections

/// The table `commit_mark`: the random mark of the last write transaction. After a connection was lost during a commit,
/// another one reads from it whether the transaction is committed. A mark that this broker did not write shows that
/// another program wrote to the database, or that an older state of it was restored.
struct PostgreSQLCommitMarks {
  static let schema = """
    CREATE TABLE commit_mark (
      id bigint PRIMARY KEY CHECK (id = 1),
      number bigint NOT NULL
    ) WITH (fillfactor = 50);
    INSERT INTO commit_mark VALUES (1, 0);
    """

  let connection: PostgreSQLConnection

  /// Writes a new mark into the open transaction. Returns it.
  func writeNew() throws -> Int64 {
    let mark = Int64.random(in: 1 ... .max)
    try connection.run("UPDATE commit_mark SET number = ?", [mark])
    return mark
  }

  /// Returns the mark of the last committed transaction. All that it and those before it wrote is durable then, on a
  /// synchronous standby too: a commit that the server confirms covers the earlier ones.
  /// - Throws: `CommitUnknown` if the server did not confirm it.
  func confirmLast() throws -> Int64 {
    connection.begin(isReadOnly: false)
    defer { connection.rollback() }
    let last: Int64? = try connection.value(
      "UPDATE commit_mark SET number = number RETURNING number")
    guard let last else { throw StoreError(.damaged, "The table commit_mark has no row.") }
    try connection.commit()
    return last
  }
}
