// A record whose broker was put back to an earlier time, or lost what it knew of the record. What the broker
// has now may be older than what this device knows to have been there, and its tags are of another history.

import Records

extension RecordLayers {
  /// Forgets what the broker had, before `state` is taken up, the first of the new history. What is the same
  /// there counts as known to both, so that an edit which waits is still an edit of that. In everything
  /// else neither side is known to be the newer one: what differs meets it as set on both sides, and
  /// nothing is lost without a conflict that says so.
  package mutating func forgetHistory(beside state: BrokerState) {
    held?.tag = nil
    guard let fields = state.fields else {
      ancestor.tag = nil
      return
    }
    guard inFlight != nil || hasPending || shown == nil else {
      ancestor = .unknown
      return
    }
    ancestor.tag = nil
    ancestor.fields = ancestor.fields.map { $0.common(with: fields) }
  }

  /// Keeps what this device knows of a record that the broker left out of a new history because it is damaged.
  /// Whatever the broker sends of the record later is newer.
  /// - Parameter scanned: the revision of the new history up to which the broker left the record out.
  package mutating func missedInNewHistory(through scanned: Revision) {
    held?.tag = nil
    ancestor.tag = ancestor.fields == nil ? nil : scanned
  }
}

extension Fields {
  /// The fields that have the same values in both.
  fileprivate func common(with other: Fields) -> Fields {
    Fields(all.compactMap { other[$0.key] == $0.value ? ($0.key, $0.value) : nil })
  }
}
