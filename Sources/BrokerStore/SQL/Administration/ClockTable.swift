import BrokerCore
import Records
import SQLConnections

/// The `clock` and `clock_gap` tables: a single row with the broker's observation of the system clock, and
/// the intervals during which it was not observed.
struct ClockTable {
  static let schema = """
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER,
      set_back_at INTEGER
    ) STRICT;
    INSERT INTO clock (id) VALUES (1);
    CREATE TABLE clock_gap (
      start_at INTEGER PRIMARY KEY,
      end_at INTEGER NOT NULL
    ) STRICT;
    """

  let db: any SQLConnection

  /// Loads the observed time, passes it to `body` and stores the result.
  func update<Result>(_ body: (inout ObservedClock) -> Result) throws -> Result {
    let before = try load()
    var watched = before
    let result = body(&watched)
    try db.run(
      "UPDATE clock SET seen_at = ?, set_back_at = ?",
      [watched.seen?.microseconds, watched.setBack?.microseconds])
    if watched.gaps != before.gaps {
      try db.run("DELETE FROM clock_gap")
      for gap in watched.gaps {
        try db.run(
          "INSERT INTO clock_gap (start_at, end_at) VALUES (?, ?)",
          [gap.start.microseconds, gap.end.microseconds])
      }
    }
    return result
  }

  private func load() throws -> ObservedClock {
    let gaps = try db.rows("SELECT start_at, end_at FROM clock_gap ORDER BY start_at").map { row in
      ObservedClock.Gap(
        start: Timestamp(microseconds: row[0]), end: Timestamp(microseconds: row[1]))
    }
    let row = try db.first("SELECT seen_at, set_back_at FROM clock") { $0 }
    return ObservedClock(seen: Self.time(row?[0]), gaps: gaps, setBack: Self.time(row?[1]))
  }

  private static func time(_ microseconds: Int64?) -> Timestamp? {
    microseconds.map { Timestamp(microseconds: $0) }
  }
}
