// What is known of one slot: which kinds of keys are filed under it, so that a record's value is
// looked up only where something can be found, and what its constants tell about its values.

/// How the predicates at hand use a slot.
struct SlotUse: BitwiseCopyable {
  /// Which kinds of keys there are, as bits of `Kinds`. Taken back with the slot only: a bit too many
  /// costs a look-up.
  var kinds: UInt16 = 0
  /// Bit n: prefixes, suffixes of n + 1 bytes.
  var prefixLengths: UInt32 = 0
  var suffixLengths: UInt32 = 0
  /// Bit n: cells of size 2ⁿ.
  var wholeLevels: UInt64 = 0
  var realLevels: UInt64 = 0
  var cellLevels: UInt32 = 0
  /// The instructions, list entries and other slots that refer to it.
  var holders: UInt32 = 0
  /// Slots below 64 whose symbols are paired with this one's.
  var partners: UInt64 = 0
  /// Where its filter of trigrams begins, in bytes, plus one.
  var trigramFilter: UInt32 = 0
  /// Its tables of one-sided ranges, plus one.
  var lowerBounds: UInt32 = 0
  var upperBounds: UInt32 = 0
  /// Constants that were compared for equality.
  var equalities: UInt32 = 0
  /// The smallest and the largest number among its constants.
  var smallest = Double.infinity
  var largest = -Double.infinity

  enum Kinds {
    static let value: UInt16 = 1
    static let prefix: UInt16 = 2
    static let suffix: UInt16 = 4
    static let trigram: UInt16 = 8
    static let range: UInt16 = 16
    static let cell: UInt16 = 32
    static let presence: UInt16 = 64
    static let elements: UInt16 = 128
    /// It is the slot of elements, not of a record's own value.
    static let ofElements: UInt16 = 256
  }
}
