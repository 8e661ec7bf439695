/// The inverted index of a partition: posting lists, tables of bounds and trigram filters.
struct PostingLists: ~Copyable {
  /// The posting lists; a `Symbol` says where its list is.
  var postings = Slab<Posting>()
  /// The positions of blocks that are filed under several keys. Index 0 ends a chain.
  var entries = Slab<KeyEntry>()
  /// Trigram filters of `Trigram.filterBytes` bytes each; a `SlotUse` says where its filter is.
  var filters = Slab<UInt8>()
  /// Tables of one-sided ranges; a `SlotUse` has the indexes of its tables, plus one.
  var thresholds: [ThresholdTable] = []
  /// The indexes in `thresholds` that can be used again.
  var freeThresholds: [Int] = []

  init() {
    _ = entries.allocate(1)
    _ = filters.allocate(1)
  }

  /// The memory in use, in bytes.
  var byteCount: Int {
    postings.byteCount + entries.byteCount + filters.byteCount
      + thresholds.reduce(0) { $0 + $1.byteCount }
  }
}
