// Statements that are ended from inside when their time is over: SQLite asks every so often, also while
// it passes over rows that nobody gets to see.

import Foundation
import GRDB
import GRDBSQLite

extension Database {
  /// The steps of SQLite's machine between two questions: some tenths of a millisecond.
  private static let stepsPerQuestion: Int32 = 10_000

  /// Runs `body`; its statements end once `isOver` says so.
  /// - Throws: `failure` where that ended one.
  package func interrupted<Result>(
    when isOver: @escaping () -> Bool, as failure: any Error, _ body: () throws -> Result
  ) throws -> Result {
    let question = Question(isOver: isOver)
    return try withExtendedLifetime(question) {
      sqlite3_progress_handler(
        sqliteConnection, Self.stepsPerQuestion,
        { Unmanaged<Question>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue().answer },
        Unmanaged.passUnretained(question).toOpaque())
      defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        throw failure
      }
    }
  }

  /// What SQLite asks.
  private final class Question {
    let isOver: () -> Bool

    init(isOver: @escaping () -> Bool) {
      self.isOver = isOver
    }

    /// Not zero ends the statement.
    var answer: Int32 { isOver() ? 1 : 0 }
  }
}
