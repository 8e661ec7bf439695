// Server-sent events, as far as the agent uses them: `id:`, `event:` and `data:` lines; an empty line ends an
// event, and lines that begin with a colon keep the connection open.

import Records

/// One event of the stream.
struct ServerEvent: Equatable, Sendable {
  /// Its id, for resuming after it.
  let id: String?
  /// Its kind; `message` by default.
  let kind: String
  /// Its content.
  let content: String
}

/// Splits a stream of bytes into events.
struct EventLines: Sendable {
  /// The maximum length of a line; a longer one is an error.
  static let lineBytesMax = 1 << 20

  /// The id after which to resume: that of the last complete event, or the one at the start of the stream.
  private(set) var lastID: String?

  private var line: [UInt8] = []
  private var id: String?
  private var kind = "message"
  private var content: [String] = []

  /// Reads bytes and returns the events that they complete.
  /// - Throws: `limitExceeded` for a line without an end.
  mutating func take(_ bytes: some Sequence<UInt8>) throws(ControlFailure) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        guard line.count <= Self.lineBytesMax else {
          throw .error(.limitExceeded, "contactsd sent a line that is too long to read.")
        }
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let event = ended() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func ended() -> ServerEvent? {
    guard !line.isEmpty else {
      defer { kind = "message" }
      lastID = id
      guard !content.isEmpty else { return nil }
      defer { content = [] }
      return ServerEvent(id: id, kind: kind, content: content.joined(separator: "\n"))
    }
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    var value = text[text.index(after: colon)...]
    if value.first == " " { value = value.dropFirst() }
    switch text[..<colon] {
    case "id": id = String(value)
    case "event": kind = String(value)
    case "data": content.append(String(value))
    default: break
    }
    return nil
  }
}
