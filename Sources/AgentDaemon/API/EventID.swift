// How ids and the events without a thing of their own look on the wire, for all streams.

import NIOCore

/// Writes the ids of one stream.
struct EventID: Sendable {
  /// The incarnation of the log that the numbers are of.
  let incarnation: String

  /// The id of event `number`.
  func text(_ number: Int64) -> String { "\(incarnation)-\(number)" }

  /// The first bytes of a stream, so that a client knows it is connected: a comment, after the id
  /// where the stream begins, so that a stream that breaks before its first event goes on from there.
  func beginning(at number: Int64) -> ByteBuffer {
    ByteBuffer(string: "id: \(text(number))\n: ready\n\n")
  }

  /// A `reset` event: the watcher misses everything through event `number`.
  func reset(through number: Int64, reason: String) -> ByteBuffer {
    ByteBuffer(
      string: "id: \(text(number))\nevent: reset\n"
        + "data: {\"missedThrough\":\(number),\"reason\":\"\(reason)\"}\n\n")
  }
}
