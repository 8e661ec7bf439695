// The `reset` event of a stream: events are missing before those that follow. An agent of the first
// release gives no reason.

/// What a `reset` event says.
struct EventReset: Decodable, Sendable {
  /// `dropped`, `otherLog` or `ahead`.
  let reason: String?

  /// Reads the content of `event`.
  init(_ event: ServerEvent) throws(ControlFailure) {
    self = try AgentReply(bytes: Array(event.content.utf8)).decoded(as: Self.self)
  }

  /// What to say to a person who watches `things`.
  func sentence(of things: String) -> String {
    switch reason {
    case "otherLog":
      "The device's database was made again or copied, and its \(things) are numbered from the start. "
        + "What follows begins now."
    case "ahead":
      "The device has no \(things) with so high a number. What follows begins now."
    default: "Earlier \(things) are no longer kept; what follows begins behind them."
    }
  }
}
