// What goes with a deleted record and was too much for the transaction of the deletion is deleted in
// following ones, a step at a time, so that everybody's requests get their turn in between. What has
// to be deleted stands in the database: a broker that was killed goes on where it was, so at its
// start it asks once whether there is something.

import Records

/// What the broker knows of cascades that are not at their end.
struct CascadeReaping: Sendable {
  /// Whether there may be something to delete: at the start nobody knows.
  var isDue = true
  /// Whether a step is under way.
  var isUnderWay = false
}

extension Broker {
  /// Begins a step, if there is something to delete.
  mutating func reapCascades() {
    guard cascades.isDue, !cascades.isUnderWay else { return }
    cascades = CascadeReaping(isDue: false, isUnderWay: true)
    actions.append(.store(.reapCascades))
  }

  /// A commit left something to delete.
  mutating func cascadesAreLeft() {
    cascades.isDue = true
    reapCascades()
  }

  /// A step is done; `nil` when it could not be, and it is tried again at the next tick.
  mutating func reaped(_ effects: CommitEffects?, into pending: inout PendingChanges) {
    cascades.isUnderWay = false
    guard let effects else {
      cascades.isDue = true
      return
    }
    pending.add(effects)
    if effects.leavesCascade { cascadesAreLeft() }
  }
}
