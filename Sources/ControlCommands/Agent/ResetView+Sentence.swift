// The `reset` event of a stream: events before the following ones are missing.

import AgentAPI

extension ResetView {
  /// Decodes the content of `event`.
  init(_ event: ServerEvent) throws(ControlFailure) {
    self = try AgentReply(bytes: Array(event.content.utf8)).decoded(as: Self.self)
  }

  /// Returns a sentence for a user who watches `things`.
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
