import Foundation
import GRDB
import GRDBSQLite

extension Database {
  /// The instructions of SQLite's virtual machine between two checks: a few tenths of a millisecond.
  private static let stepsPerCheck: Int32 = 10_000

  /// Runs `body`, and interrupts its statements once `isOver` returns `true`. SQLite also calls `isOver`
  /// while it skips rows that do not match.
  /// - Throws: `failure` if a statement was interrupted; else what `body` throws.
  package func interrupted<Result>(
    when isOver: @escaping () -> Bool, as failure: any Error, _ body: () throws -> Result
  ) throws -> Result {
    let check = InterruptCheck(isOver: isOver)
    return try withExtendedLifetime(check) {
      sqlite3_progress_handler(
        sqliteConnection, Self.stepsPerCheck,
        { Unmanaged<InterruptCheck>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue().result },
        Unmanaged.passUnretained(check).toOpaque())
      defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        throw failure
      }
    }
  }

  /// The object that SQLite's progress handler calls.
  private final class InterruptCheck {
    let isOver: () -> Bool

    init(isOver: @escaping () -> Bool) {
      self.isOver = isOver
    }

    /// The handler's result; a value other than 0 interrupts the statement.
    var result: Int32 { isOver() ? 1 : 0 }
  }
}
