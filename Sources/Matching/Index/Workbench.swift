// What looking at one event or adding one predicate needs for a moment. One for the whole index: a
// partition of its own would cost most scopes, which have a subscription or two, more than those do.

import Predicates

/// Memory for the work of the moment, used by one partition after the other.
final class Workbench {
  // As in `Partition`, no part is read while it is being changed.
  @exclusivity(unchecked) var newView = RecordView()
  @exclusivity(unchecked) var oldView = RecordView()
  @exclusivity(unchecked) var candidates = Slab<UInt32>()
  /// The candidates, from the first on, of which none is there twice.
  @exclusivity(unchecked) var settledCount = 0
  /// The keys of a record's values.
  @exclusivity(unchecked) var lookUps = Slab<LookUp>()
  @exclusivity(unchecked) var compiler = ProgramCompiler()
  /// The symbols that the predicate being compiled asked for.
  @exclusivity(unchecked) var acquired: [UInt32] = []

  /// For the next event.
  func forgetCandidates() {
    candidates.removeAll()
    settledCount = 0
  }

  /// The bytes it takes, without those of the records it shows.
  var byteCount: Int { candidates.byteCount }
}
