// A predicate as it is run: one flat row of tests, each of which says where to go on when it holds
// and when it does not. No tree, no reference counts; a predicate of one comparison is 16 bytes.

import Records

/// One test of a program.
package struct Instruction: BitwiseCopyable {
  /// What is tested.
  package enum Operation: UInt8, BitwiseCopyable {
    /// `detail` itself: the predicate is constant.
    case constant
    /// Whether the slot has a value.
    case present
    /// Whether the slot's value has the index's number `constant`.
    case symbolEqual
    /// Whether its value is of the class `detail` and has another number than `constant`.
    case symbolNotEqual
    /// Whether its value has one of the numbers listed in the constants.
    case symbolIn
    /// Whether the record has an element, or a word, of one of the numbers listed in the constants.
    case holdsSymbol
    /// Whether its number or date lies in the interval in the constants.
    case interval
    /// A relation to a text in the constants.
    case text
    /// A relation to an encoded value in the constants.
    case value
    /// Whether any element, or every one, has a relation to a value in the constants.
    case any, all
    /// Whether any of the words in the constants is in the record.
    case words
    /// Whether the place in the slot is at a distance from that in the constants.
    case distance
  }

  /// What is tested.
  package var operation: Operation
  /// Its finer kind, as the operation wants it.
  package var detail: UInt8 = 0
  /// The value it is tested on.
  package var slot: UInt16 = 0
  /// The next test when it holds.
  package var onTrue: UInt16 = 0
  /// The next test when it does not.
  package var onFalse: UInt16 = 0
  /// Where its constant begins, or a number.
  package var constant: UInt32 = 0
  /// The bytes of its constant.
  package var count: UInt32 = 0

  /// Instead of a next test: the predicate holds.
  package static let accept = UInt16.max
  /// Instead of a next test: it does not hold.
  package static let reject = UInt16.max - 1
}

/// A predicate's tests and what they compare with.
package struct Program {
  /// The tests; the first is run first.
  package internal(set) var instructions: [Instruction] = []
  /// What they compare with.
  package internal(set) var constants: [UInt8] = []

  /// A program without tests, to be compiled into.
  package init() {}

  mutating func removeAll() {
    instructions.removeAll(keepingCapacity: true)
    constants.removeAll(keepingCapacity: true)
  }

  /// Adds two numbers as a constant; its place and length.
  mutating func add(_ low: UInt64, _ high: UInt64) -> (offset: UInt32, count: UInt32) {
    let offset = UInt32(constants.count)
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
      constants.append(contentsOf: $0)
    }
    return (offset, 16)
  }

  /// Adds a constant; its place and length.
  mutating func add(_ bytes: some Collection<UInt8>) -> (offset: UInt32, count: UInt32) {
    let offset = UInt32(constants.count)
    constants += bytes
    return (offset, UInt32(bytes.count))
  }
}

/// The bounds of a test on a number or a date, and how they are kept in 16 bytes and 8 bits.
struct Interval {
  var low: UInt64 = 0
  var high: UInt64 = 0
  var flags: Flags = []

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasLow = Flags(rawValue: 1)
    static let hasHigh = Flags(rawValue: 2)
    static let excludesLow = Flags(rawValue: 4)
    static let excludesHigh = Flags(rawValue: 8)
    static let isLowReal = Flags(rawValue: 16)
    static let isHighReal = Flags(rawValue: 32)
    static let isDate = Flags(rawValue: 64)
    static let isOutside = Flags(rawValue: 128)
  }
}
