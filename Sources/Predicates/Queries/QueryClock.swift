import Records

/// The current time and the time limit of a page of a query.
package struct QueryClock: Sendable {
  /// The value of `now()` in the predicate.
  package let now: Timestamp
  /// Whether each record is limited to few evaluation steps, because the page must not delay other requests.
  package let isBrief: Bool
  /// Returns whether the page has exceeded its time limit.
  package let isOverdue: @Sendable () -> Bool

  package init(
    now: Timestamp, isBrief: Bool = false, isOverdue: @escaping @Sendable () -> Bool
  ) {
    self.now = now
    self.isBrief = isBrief
    self.isOverdue = isOverdue
  }

  /// Returns this clock with a second reason to stop the page.
  package func ending(when isOver: @escaping @Sendable () -> Bool) -> QueryClock {
    QueryClock(now: now, isBrief: isBrief) { isOverdue() || isOver() }
  }
}

extension RecordsError {
  /// The error of a page that exceeds its time limit.
  package static var queryTooSlow: RecordsError {
    RecordsError(
      .limitExceeded, "The query takes longer than the limit of \(QueryLimits.seconds) seconds.",
      hint: "Query a single zone, or simplify the predicate.", reason: "tooSlow")
  }
}
