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
      "The device's database was created again or copied, and its \(things) have new numbers. "
        + "Only new \(things) follow."
    case "ahead":
      "The number is higher than those of the device's \(things). Only new \(things) follow."
    default: "Earlier \(things) are no longer kept and were skipped."
    }
  }
}
