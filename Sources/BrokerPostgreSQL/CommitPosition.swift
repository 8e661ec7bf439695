import BrokerStore

/// The place of a commit in the order of all commits to a database, and the random mark that its transaction left. Two
/// commits with the same number and different marks are from two histories of the database.
struct CommitPosition: Equatable {
  let number: Int64
  let mark: Int64

  /// A position for the transaction after this one.
  func next() -> CommitPosition {
    CommitPosition(number: number + 1, mark: .random(in: 1 ... .max))
  }
}
