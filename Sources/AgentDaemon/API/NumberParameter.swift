// Numbers in requests: query parameters, headers, parts of cursors. Each has a range, so that later
// arithmetic cannot overflow; a value outside of it is rejected with one error message.

import Hummingbird
import Records

/// An integer of a request, with the range that the route accepts.
struct NumberParameter {
  /// The maximum sequence number in a request: larger than any on a device, small enough to add to.
  static let sequenceMaximum: Int64 = (1 << 53) - 1

  /// The name of the parameter, for error messages.
  let name: String
  /// The accepted range.
  let range: ClosedRange<Int64>

  /// Creates the parameter `name` with a range.
  init(_ name: String, _ range: ClosedRange<Int64>) {
    self.name = name
    self.range = range
  }

  /// Returns a parameter for the sequence number of a list item.
  static func sequence(_ name: String) -> NumberParameter {
    NumberParameter(name, 0...sequenceMaximum)
  }

  /// Returns the number in the query of `request`; `nil` if the query does not contain it.
  /// - Throws: `invalidArguments` for text that is not a number in the range.
  func value(in request: Request) throws(RecordsError) -> Int64? {
    guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
    return try value(of: text)
  }

  /// Parses a decimal number.
  /// - Throws: `invalidArguments` for text that is not a number in the range.
  func value(of text: some StringProtocol) throws(RecordsError) -> Int64 {
    guard let number = Int64(text) else {
      throw .invalid("\(name) must be a whole number \(bounds).", field: name)
    }
    return try checked(number)
  }

  /// Returns `number` if it is in the range.
  /// - Throws: `invalidArguments`.
  func checked(_ number: Int64) throws(RecordsError) -> Int64 {
    guard range.contains(number) else {
      throw .invalid("\(name) must be a whole number \(bounds).", field: name)
    }
    return number
  }

  private var bounds: String { "from \(range.lowerBound) to \(range.upperBound)" }
}
