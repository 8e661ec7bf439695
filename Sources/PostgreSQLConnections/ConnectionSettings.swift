/// How connections to a server are opened and how long they wait.
package struct ConnectionSettings: Sendable {
  /// The time after which a host that does not answer is given up.
  package var connectLimit = Duration.seconds(10)
  /// The time that the connection waits for one answer. Then it is broken.
  package var answerLimit = Duration.seconds(60)
  /// The time after which the server cancels a statement; `nil` for the server's own setting.
  package var statementLimit: Duration?
  /// The name that the server shows for its connections.
  package var applicationName = "contacts-broker"

  /// Creates the usual settings.
  package init() {}
}

extension Duration {
  /// The duration in milliseconds, as poll(2) and PostgreSQL's settings take it; at least 1.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}
