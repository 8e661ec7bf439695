// What an account that was deleted has left in public databases is removed behind the order, a little
// at a time, between the requests of those who stay.

import Records

/// How far the removal is.
struct Leaving: Sendable {
  /// Whether there may be something to remove: at the start nobody knows.
  var isDue = true
  /// Whether a step is with the storage thread.
  var isUnderWay = false
}

extension Broker {
  /// Begins a step, if there may be something to remove.
  mutating func removeLeft() {
    guard leaving.isDue, !leaving.isUnderWay else { return }
    leaving = Leaving(isDue: false, isUnderWay: true)
    actions.append(.store(.removeLeft))
  }

  /// A step is done; `nil` when it could not be. That, and one that was put off, is tried again in a
  /// second.
  mutating func removedLeft(_ removed: RemovedRecords?) {
    leaving.isUnderWay = false
    leaving.isDue = leaving.isDue || removed?.isMore != false
    if removed?.isPutOff == false { removeLeft() }
  }
}
