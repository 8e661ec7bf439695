// The bounds of predicates. They are what makes a stranger's predicate safe to keep and to run: its
// parse is bounded by its text, its tree by depth and terms, its run by steps.

/// What a predicate may be at most.
package enum PredicateLimits {
  /// The text. Longer → `limitExceeded`. Bound values are not part of it; they count toward the
  /// request that carries them.
  package static let textBytes = 4096
  /// Parentheses and NOTs inside each other. Deeper → `limitExceeded` with the column.
  package static let depth = 32
  /// Comparisons; an IN list is one. More → `limitExceeded` with the column.
  package static let terms = 256
  /// The values of one IN list. More → `limitExceeded` with the column.
  package static let valuesPerList = 1024
  /// The bytes looked at while one predicate is run on one record. More → the run fails: a query leaves
  /// the record out and counts it, an index reports the subscription. Only `LIKE` with many stars on long texts
  /// comes near.
  package static let stepsPerRun = 1 << 24
  /// The bytes looked at while one change is asked of all predicates of an index. Beyond it nothing
  /// is asked again that has not come to an end (`stepsPerRound`), so that many costly predicates cost
  /// no more than a few.
  package static let stepsPerEvent = 1 << 26
  /// The bytes looked at, and folded before that, while a query that must not delay others is asked of one
  /// record. Beyond it the query has to begin again where it may take longer.
  package static let stepsPerBriefRun = 1 << 21
  /// What a predicate gets in the first round of an event, which an ordinary one never uses up, and what
  /// those that did get in the next ones.
  package static let stepsPerRound = [1 << 15, 1 << 19, stepsPerRun]
  /// What the changes that one account makes in one transaction may take of an index, all of them
  /// together.
  package static let stepsPerCommit = 1 << 24
  /// A transaction that has taken so many ends, so that requests of other accounts do not wait in it.
  package static let stepsPerSharedCommit = 1 << 20
  /// A longer text is not folded for subscriptions: those that look at its folded form do not know
  /// whether the record matches.
  package static let foldedBytes = 64 << 10
  /// The words of one text that `self CONTAINS` looks at; what follows is not searched.
  package static let wordsPerRecord = 4096
}
