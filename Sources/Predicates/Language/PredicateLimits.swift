/// The limits of predicates. They make it safe to store and evaluate the predicates of any client: the text
/// limits parsing, depth and terms limit the tree, and steps limit evaluation. A step is a byte read.
package enum PredicateLimits {
  /// The bytes of the text. More → `limitExceeded`. Bound values are not part of the text; they count
  /// toward the request that contains them.
  package static let textBytes = 4096
  /// The depth of nested parentheses and NOTs. More → `limitExceeded` with the column.
  package static let depth = 32
  /// The number of comparisons; an IN list is one. More → `limitExceeded` with the column.
  package static let terms = 256
  /// The number of values in one list. More → `limitExceeded` with the column.
  package static let valuesPerList = 1024
  /// The steps of evaluating one predicate on one record. More → the run fails: a query omits the record
  /// and counts it as skipped, an index reports the subscription. Only `LIKE` with many stars on long
  /// texts comes near the limit.
  package static let stepsPerRun = 1 << 24
  /// The steps of matching one change against all predicates of an index. More → evaluation ends, and the
  /// subscriptions whose predicates have no result yet (see `stepsPerRound`) are reported. Many
  /// expensive predicates therefore cost no more than a few.
  package static let stepsPerEvent = 1 << 26
  /// The steps of loading and evaluating one record in a query that must not delay other requests. More →
  /// the query stops and is repeated where it may take longer.
  package static let stepsPerBriefRun = 1 << 21
  /// The steps of one predicate in each round of an event. An ordinary predicate never exceeds the first;
  /// only those that do are evaluated in the next round.
  package static let stepsPerRound = [1 << 15, 1 << 19, stepsPerRun]
  /// The steps of matching all changes of one account in one transaction. More → subscriptions whose
  /// predicates were not evaluated are reported, as for one change.
  package static let stepsPerCommit = 1 << 24
  /// The steps after which a transaction with requests of several accounts is committed, so that an
  /// account with expensive predicates does not delay the others.
  package static let stepsPerSharedCommit = 1 << 20
  /// The bytes of a text that is folded for subscriptions. For a longer one, the result of a predicate
  /// that reads its folded form is unknown.
  package static let foldedBytes = 64 << 10
  /// The number of words of a record that `self CONTAINS` searches. Further words are ignored.
  package static let wordsPerRecord = 4096
}
