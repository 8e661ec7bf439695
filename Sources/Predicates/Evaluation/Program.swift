// A predicate in executable form: a flat array of tests, each with the index of the next test for true and
// for false. It has no tree and no reference counts. A predicate of one comparison has 16 bytes.

import Records

/// One test of a program.
package struct Instruction: BitwiseCopyable {
  /// The kinds of tests.
  package enum Operation: UInt8, BitwiseCopyable {
    /// Always true if `detail` is 1, always false if it is 0.
    case constant
    /// Tests whether the slot has a value.
    case present
    /// Tests whether the slot's value has the symbol `constant`.
    case symbolEqual
    /// Tests whether the slot's value is of the class `detail` and does not have the symbol `constant`.
    case symbolNotEqual
    /// Tests whether the slot's value has one of the symbols in the constant.
    case symbolIn
    /// Tests whether the record has an element or word with one of the symbols in the constant.
    case holdsSymbol
    /// Tests whether the slot's number or date is in the interval in the constant.
    case interval
    /// Compares the slot's value with the text in the constant.
    case text
    /// Compares the slot's value with the encoded value in the constant.
    case value
    /// Compares any or all elements of the slot's value with the encoded value in the constant.
    case any, all
    /// Tests whether the record contains any of the words in the constant.
    case words
    /// Compares the distance of the slot's location from that in the constant.
    case distance
  }

  /// The kind of the test.
  package var operation: Operation
  /// A parameter whose meaning depends on the operation: a relation, flags or a class.
  package var detail: UInt8 = 0
  /// The slot of the value that is tested.
  package var slot: UInt16 = 0
  /// The index of the next test if this one is true, or `accept` or `reject`.
  package var onTrue: UInt16 = 0
  /// The index of the next test if this one is false, or `accept` or `reject`.
  package var onFalse: UInt16 = 0
  /// The offset of the constant, or a symbol.
  package var constant: UInt32 = 0
  /// The length of the constant, in bytes.
  package var count: UInt32 = 0

  /// A jump target instead of an index: the predicate matches.
  package static let accept = UInt16.max
  /// A jump target instead of an index: the predicate does not match.
  package static let reject = UInt16.max - 1
}

/// The tests of a predicate and their constants.
package struct Program {
  /// The tests, beginning with the first to run.
  package internal(set) var instructions: [Instruction] = []
  /// The constants that the tests refer to by offset.
  package internal(set) var constants: [UInt8] = []

  /// Creates an empty program.
  package init() {}

  mutating func removeAll() {
    instructions.removeAll(keepingCapacity: true)
    constants.removeAll(keepingCapacity: true)
  }

  /// Adds a constant of two numbers and returns its offset and length.
  mutating func add(_ low: UInt64, _ high: UInt64) -> (offset: UInt32, count: UInt32) {
    let offset = UInt32(constants.count)
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
      constants.append(contentsOf: $0)
    }
    return (offset, 16)
  }

  /// Adds a constant and returns its offset and length.
  mutating func add(_ bytes: some Collection<UInt8>) -> (offset: UInt32, count: UInt32) {
    let offset = UInt32(constants.count)
    constants += bytes
    return (offset, UInt32(bytes.count))
  }
}
