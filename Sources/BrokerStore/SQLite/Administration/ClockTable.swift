// When the broker looked at its clock last, and whether it has leapt since an administrator confirmed
// it: one row.

import BrokerCore
import GRDB
import Records

/// The `clock` table.
struct ClockTable {
  static let schema = """
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER,
      doubted_at INTEGER
    ) STRICT;
    INSERT INTO clock (id) VALUES (1);
    """

  let db: Database

  /// Changes what is known of the clock.
  func update<Result>(_ body: (inout ClockGuard) -> Result) throws -> Result {
    let row = try Row.fetchOne(db, sql: "SELECT seen_at, doubted_at FROM clock")
    var clock = ClockGuard(seen: Self.time(row?[0]), doubted: Self.time(row?[1]))
    let result = body(&clock)
    try db.execute(
      sql: "UPDATE clock SET seen_at = ?, doubted_at = ?",
      arguments: [clock.seen?.microseconds, clock.doubted?.microseconds])
    return result
  }

  private static func time(_ microseconds: Int64?) -> Timestamp? {
    microseconds.map { Timestamp(microseconds: $0) }
  }
}
