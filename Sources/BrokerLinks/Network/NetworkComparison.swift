/// Compares the network with what it was, and decides what is reported.
///
/// A report waits until the network has settled, because an address arrives before its route. What happened in the
/// meantime counts: a network that came and went again may have carried a connection, although the network is now what
/// it was at the last report.
package struct NetworkComparison: Hashable, Sendable {
  private var state: NetworkState
  private var isReportDue = false

  /// - Parameter state: The network now.
  package init(_ state: NetworkState) {
    self.state = state
  }

  /// Compares the network with the last state.
  /// - Returns: whether a report must be scheduled. One that is due already covers this change too.
  package mutating func look(at now: NetworkState) -> Bool {
    guard now != state else { return false }
    state = now
    defer { isReportDue = true }
    return !isReportDue
  }

  /// The scheduled report was made.
  package mutating func reported() {
    isReportDue = false
  }
}
