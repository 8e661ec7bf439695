// What an order or a request leaves to be done for others, one account and zone after the other: telling
// an account that something about a zone changed, and clearing what it has of one that it can no longer
// see. A little is done in the order's own transaction; the rest stands in the database and is done a
// step at a time, so that everybody's requests get their turn in between. No right waits for it.

import Records

/// What the broker knows of errands.
struct Errands: Sendable {
  /// Whether there may be some: at the start nobody knows.
  var areDue = true
  /// Whether a step is under way.
  var areUnderWay = false
}

extension Broker {
  /// Begins a step, if there is something to do.
  mutating func runErrands() {
    guard errands.areDue, !errands.areUnderWay else { return }
    errands = Errands(areDue: false, areUnderWay: true)
    actions.append(.store(.runErrands))
  }

  /// A commit left errands.
  mutating func errandsAreLeft() {
    errands.areDue = true
    runErrands()
  }

  /// A step is done; `nil` when it could not be, and it is tried again at the next tick.
  mutating func ranErrands(_ effects: CommitEffects?, into pending: inout PendingChanges) {
    errands.areUnderWay = false
    guard let effects else {
      errands.areDue = true
      return
    }
    pending.add(effects)
    if effects.leavesErrands { errandsAreLeft() }
  }
}
