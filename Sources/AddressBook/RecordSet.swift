// Which records, one bit each. Row numbers are dense, so a hundred thousand take twelve kilobytes, and
// asking is a look at one word.

/// A set of records by the numbers of their rows.
struct RecordSet {
  /// How many there are.
  var count: Int { numbers.count }
  private var numbers: [Int64] = []
  private var words: [UInt64] = []

  /// Puts a record in.
  /// - Precondition: its number is not negative, as no row's is.
  mutating func insert(_ record: Int64) {
    let (word, bit) = Self.place(of: record)
    if word >= words.count {
      words += repeatElement(0, count: max(word + 1 - words.count, words.count))
    }
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    numbers.append(record)
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

  /// The mean number of rows from one record of the set to the next one; 0 if it is empty.
  var rowsPerRecord: Double {
    guard let first = numbers.min(), let last = numbers.max() else { return 0 }
    return Double(last - first + 1) / Double(numbers.count)
  }

  /// Whether a record is in it.
  func contains(_ record: Int64) -> Bool {
    let (word, bit) = Self.place(of: record)
    return word < words.count && words[word] & bit != 0
  }

  private static func place(of record: Int64) -> (word: Int, bit: UInt64) {
    precondition(record >= 0, "A record's row has no number below zero: \(record).")
    return (Int(record >> 6), 1 << UInt64(record & 63))
  }
}
