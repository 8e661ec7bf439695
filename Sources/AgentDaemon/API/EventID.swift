// Ids and events that all streams share.

import AgentAPI
import NIOCore

/// Writes the ids of one stream.
struct EventID: Sendable {
  /// The incarnation of the log.
  let incarnation: String
  /// What an id has before and after the number: the position in another log of the stream.
  var before = ""
  var after = ""

  /// Creates the ids of a stream of one log.
  init(incarnation: String) {
    self.incarnation = incarnation
  }

  /// Returns the id of event `number`.
  func text(_ number: Int64) -> String { "\(incarnation)-\(before)\(number)\(after)" }

  /// Returns the first bytes of a stream: the id at which it begins, so that a client can resume even if the
  /// stream breaks before its first event, and a comment, which shows that the client is connected.
  func beginning(at number: Int64) -> ByteBuffer {
    ByteBuffer(string: "id: \(text(number))\n: ready\n\n")
  }

  /// Returns a `reset` event: the subscriber has missed all events through `number`.
  func reset(through number: Int64, reason: String) -> ByteBuffer {
    let content = OrderedJSON.certainBytes(of: ResetView(missedThrough: number, reason: reason))
    var buffer = ByteBuffer(string: "id: \(text(number))\nevent: \(AgentEvent.reset)\ndata: ")
    buffer.writeBytes(content)
    buffer.writeString("\n\n")
    return buffer
  }
}
