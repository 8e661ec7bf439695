// A set of numbers that lie close together, one bit each. The numbers of a hundred thousand rows take twelve kilobytes,
// and a look-up reads one word.

/// A set of numbers, such as those of rows. None is negative.
struct NumberSet {
  /// The number of its numbers.
  var count: Int { numbers.count }
  /// Its numbers, in the order of insertion.
  private(set) var numbers: [Int64] = []
  private var words: [UInt64] = []

  /// Inserts a number.
  /// - Precondition: It is not negative, as no row's is.
  mutating func insert(_ number: Int64) {
    let (word, bit) = Self.place(of: number)
    if word >= words.count {
      words += repeatElement(0, count: max(word + 1 - words.count, words.count))
    }
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    numbers.append(number)
  }

  /// The numbers as a list that SQLite reads.
  var json: String {
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(8 * numbers.count + 2)
    for number in numbers {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: String(number).utf8)
    }
    text.append(UInt8(ascii: "]"))
    return String(decoding: text, as: UTF8.self)
  }

  /// The mean distance from one number to the next larger one; 0 if the set is empty.
  var meanDistance: Double {
    guard let first = numbers.min(), let last = numbers.max() else { return 0 }
    return Double(last - first + 1) / Double(numbers.count)
  }

  /// Whether a number is in the set.
  func contains(_ number: Int64) -> Bool {
    let (word, bit) = Self.place(of: number)
    return word < words.count && words[word] & bit != 0
  }

  /// Returns the `count` smallest numbers, or all if there are fewer, in ascending order.
  func smallest(_ count: Int) -> [Int64] {
    var smallest: [Int64] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0, smallest.count < count {
        smallest.append(Int64(index << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
      if smallest.count == count { break }
    }
    return smallest
  }

  private static func place(of number: Int64) -> (word: Int, bit: UInt64) {
    precondition(number >= 0, "A number of the set is below zero: \(number).")
    return (Int(number >> 6), 1 << UInt64(number & 63))
  }
}
