// The index has one scratch memory. A copy in each partition would use more memory than the
// subscriptions of most scopes, which have one or two.

import Predicates

/// Memory that is reused by every event and every insert, in one partition after the other.
final class ScratchMemory {
  // As in `Partition`, no property is read while it is being modified, so exclusivity checks are off.
  @exclusivity(unchecked) var views = RecordViews()
  /// The blocks to evaluate for the current event.
  @exclusivity(unchecked) var candidates = Slab<UInt32>()
  /// The length of the prefix of `candidates` that has no duplicates.
  @exclusivity(unchecked) var uniqueCount = 0
  /// The keys of a record's values.
  @exclusivity(unchecked) var hashedKeys = Slab<HashedKey>()
  @exclusivity(unchecked) var compiler = ProgramCompiler()
  /// The symbols acquired while the current predicate is compiled.
  @exclusivity(unchecked) var acquired: [UInt32] = []

  /// Prepares for the next event.
  func removeCandidates() {
    candidates.removeAll()
    uniqueCount = 0
  }

  /// The memory in use, in bytes, without that of the record views.
  var byteCount: Int { candidates.byteCount }
}

/// The views of a record after and before a change.
struct RecordViews: ~Copyable {
  var new = EvaluatedRecord()
  var old = EvaluatedRecord()

  init() {}
}
