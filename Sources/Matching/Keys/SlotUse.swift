/// How the predicates of a partition use a slot: the kinds of keys filed under it, which limit the
/// lookups of a record's value, and statistics of its constants.
struct SlotUse: BitwiseCopyable {
  /// The kinds of keys in use, as bits of `Kinds`. Bits are cleared only with the slot; a stale bit
  /// costs a lookup.
  var kinds: UInt16 = 0
  /// Bit n: prefixes, or suffixes, of n + 1 bytes are in use.
  var prefixLengths: UInt32 = 0
  var suffixLengths: UInt32 = 0
  /// Bit n: number line cells of size 2ⁿ, or globe cells of level n, are in use.
  var wholeLevels: UInt64 = 0
  var realLevels: UInt64 = 0
  var cellLevels: UInt32 = 0
  /// The number of instructions, postings and other slots that refer to the slot.
  var references: UInt32 = 0
  /// Bit n: keys of pairs with symbols of slot n are in use.
  var partners: UInt64 = 0
  /// The offset of the trigram filter, plus one; 0 for none.
  var trigramFilter: UInt32 = 0
  /// The indexes of the tables of one-sided ranges, plus one; 0 for none.
  var lowerBounds: UInt32 = 0
  var upperBounds: UInt32 = 0
  /// The number of constants with which predicates compare the slot for equality.
  var equalities: UInt32 = 0
  /// The smallest and the largest bound of a range.
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
    /// The slot's field has elements, which are looked up under slots of their own.
    static let elements: UInt16 = 128
    /// The slot is for the elements of a field, not for the field itself.
    static let ofElements: UInt16 = 256
  }
}
