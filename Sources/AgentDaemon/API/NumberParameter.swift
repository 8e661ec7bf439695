// Numbers that a client sends as text: query parameters, headers, parts of cursors. Each has a range, so
// that no later arithmetic can overflow, and a value outside of it is refused with one sentence.

import Hummingbird
import Records

/// A whole number of a request, with the range that the route accepts.
struct NumberParameter {
  /// The largest sequence number that a client may name. Larger than any that a device gives, small
  /// enough to add to.
  static let sequenceMaximum: Int64 = (1 << 53) - 1

  /// The name of the parameter, which an error repeats.
  let name: String
  /// The numbers that are accepted.
  let range: ClosedRange<Int64>

  /// A parameter `name` that takes numbers of `range`.
  init(_ name: String, _ range: ClosedRange<Int64>) {
    self.name = name
    self.range = range
  }

  /// The number of the next item of a list that has no end.
  static func sequence(_ name: String) -> NumberParameter {
    NumberParameter(name, 0...sequenceMaximum)
  }

  /// The number in the query of `request`; `nil` when the query does not name it.
  /// - Throws: `invalidArguments` for text that is no number of the range.
  func value(in request: Request) throws(RecordsError) -> Int64? {
    guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
    return try value(of: text)
  }

  /// The number that `text` spells in decimal digits.
  /// - Throws: `invalidArguments` for text that is no number of the range.
  func value(of text: some StringProtocol) throws(RecordsError) -> Int64 {
    guard let number = Int64(text) else {
      throw .invalid("\(name) must be a whole number \(bounds).", field: name)
    }
    return try checked(number)
  }

  /// `number`, if it is of the range.
  /// - Throws: `invalidArguments`.
  func checked(_ number: Int64) throws(RecordsError) -> Int64 {
    guard range.contains(number) else {
      throw .invalid("\(name) must be a whole number \(bounds).", field: name)
    }
    return number
  }

  private var bounds: String { "from \(range.lowerBound) to \(range.upperBound)" }
}
