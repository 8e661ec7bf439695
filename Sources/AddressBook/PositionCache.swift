// The positions of one list, shared by the connection that writes and the searches. Searches estimate the time that they
// lose without positions. When it reaches the time that deriving them from the list's index takes, a search derives them.
// So a device without searches has no positions.
//
// A search uses the positions only of contacts that have not moved since. Before the writing connection commits a
// transaction, it notes the contacts whose places the transaction changed. So a search that sees a change in the database
// finds the note too.

import Synchronization

/// The positions of a list, and the contacts that have changed since.
final class PositionCache: Sendable {
  /// With more changes than these, the positions are forgotten.
  static let changesMaximum = 1_000

  private struct State {
    var positions: ListPositions?
    /// The number of the last transaction that changed contacts.
    var transaction = 0
    /// The last of them that has ended.
    var ended = 0
    /// The contacts that have changed, with the last transaction that changed them.
    var changes: [Int64: Int] = [:]
    /// The last transaction whose changes are forgotten.
    var forgotten = 0
    var lostNanoseconds = 0
  }

  private let state = Mutex(State())

  // MARK: Writing

  /// Notes what a transaction changes, before it is committed.
  /// - Parameter records: The contacts whose places in the lists change; `nil` for too many to note.
  func note(_ records: [Int64]?) {
    guard records?.isEmpty != true else { return }
    state.withLock { state in
      state.transaction += 1
      for record in records ?? [] { state.changes[record] = state.transaction }
      guard records == nil || state.changes.count > Self.changesMaximum else { return }
      state.positions = nil
      state.changes = [:]
      state.forgotten = state.transaction
    }
  }

  /// Notes that the transaction was committed or rolled back. Transactions follow each other, so all before it have ended.
  ///
  /// NB: not by an observer of GRDB's. While there is one, GRDB compiles each statement that deletes rows again, which
  /// was a tenth of the time of an edit.
  func end() {
    state.withLock { $0.ended = $0.transaction }
  }

  // MARK: Reading

  /// What a search takes before its transaction begins. The transaction sees at least all that had ended then.
  struct Moment {
    fileprivate let positions: ListPositions?
    fileprivate let ended: Int
  }

  /// The present moment.
  var moment: Moment {
    state.withLock { Moment(positions: $0.positions, ended: $0.ended) }
  }

  /// Returns the positions for a transaction that began after `moment`, and the contacts that may have others by now; `nil`
  /// if there are none, or if they were replaced in the meantime.
  func positions(since moment: Moment) -> (positions: ListPositions, changes: [Int64: Int])? {
    state.withLock { state in
      guard let positions = state.positions, positions === moment.positions else { return nil }
      return (positions, state.changes)
    }
  }

  /// Adds the time that a search loses without positions, at most.
  /// - Returns: Whether all searches together have lost as much as deriving the positions takes.
  func lose(nanoseconds: Int, derivingNanoseconds: Int) -> Bool {
    state.withLock { state in
      state.lostNanoseconds += nanoseconds
      guard state.lostNanoseconds >= derivingNanoseconds else { return false }
      state.lostNanoseconds = 0
      return true
    }
  }

  /// Keeps positions that were read in a transaction that began after `moment`, unless changes since then are forgotten.
  func keep(_ positions: ListPositions, since moment: Moment) {
    state.withLock { state in
      guard moment.ended >= state.forgotten else { return }
      state.positions = positions
      state.changes = state.changes.filter { $0.value > moment.ended }
      state.forgotten = moment.ended
    }
  }
}
