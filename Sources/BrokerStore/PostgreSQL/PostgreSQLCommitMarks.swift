import PostgreSQLConnections
import Records
import SQLConnections

/// The table `commit_mark`: the number of the last write transaction of a broker. Each transaction writes its number, so
/// that after a connection was lost during a commit another one can tell whether the transaction is committed.
struct PostgreSQLCommitMarks {
  static let schema = """
    CREATE TABLE commit_mark (
      id bigint PRIMARY KEY CHECK (id = 1),
      number bigint NOT NULL
    ) WITH (fillfactor = 50);
    INSERT INTO commit_mark VALUES (1, 0);
    """

  let connection: PostgreSQLConnection

  /// The number of the last committed transaction.
  func last() throws -> Int64 {
    guard let number: Int64 = try connection.value("SELECT number FROM commit_mark") else {
      throw StoreError(.damaged, "The table commit_mark has no row.")
    }
    return number
  }

  /// Writes the number of a transaction, inside it.
  func write(_ number: Int64) throws {
    try connection.run("UPDATE commit_mark SET number = ?", [number])
  }
}
