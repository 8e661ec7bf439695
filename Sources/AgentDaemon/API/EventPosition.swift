// A position in an event stream, from a client. An id consists of the incarnation of the log and a number.
// The number alone, which scripts may know from `seq`, is a position in the current log. If this log does not
// have the position, the subscriber receives a `reset` event.

import AgentAPI
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

/// The position at which a subscriber starts to read a stream.
struct EventPosition: Equatable, Sendable {
  /// The number of the last event that the subscriber has.
  let last: Int64
  /// Why the subscriber's state does not match this log; `nil` if it may match.
  let reset: Reset?

  /// Why a subscriber has to read everything again.
  enum Reset: String, Sendable {
    /// The position is from another log: the device's database was created again or copied.
    case otherLog
    /// Its position is after the newest event of this log.
    case ahead
  }

  /// Parses the position in `request` for a log whose newest event is `newest`.
  /// - Throws: `invalidArguments` for text that is neither an id nor a number.
  init(_ request: Request, incarnation: String, newest: Int64) throws(RecordsError) {
    try self.init(Self.sent(in: request), incarnation: incarnation, newest: newest)
  }

  /// Returns the position that `request` names, in the header or in the query.
  static func sent(in request: Request) -> String? {
    request.headers[.lastEventID] ?? request.parameter(AgentQuery.since)
  }

  /// Parses the position `text` for a log whose newest event is `newest`. Without one, the position is the end of the
  /// log.
  /// - Throws: `invalidArguments` for text that is neither an id nor a number.
  init(_ text: String?, incarnation: String, newest: Int64) throws(RecordsError) {
    guard let text else {
      self.init(last: newest, reset: nil)
      return
    }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.last, Self.isNumber(digits),
      parts.count == 1 || Self.isIncarnation(parts[0])
    else {
      throw .invalid(
        "since must be the id of an event, or its number, 0 or more.", field: AgentQuery.since)
    }
    if parts.count == 2, parts[0] != incarnation {
      self.init(last: newest, reset: .otherLog)
    } else if let number = Int64(digits), number <= newest {
      self.init(last: number, reset: nil)
    } else {
      self.init(last: newest, reset: .ahead)
    }
  }

  private init(last: Int64, reset: Reset?) {
    self.last = last
    self.reset = reset
  }

  private static func isNumber(_ text: Substring) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isIncarnation(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
  }
}
