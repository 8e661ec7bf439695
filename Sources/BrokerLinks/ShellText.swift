/// What the shell of an ssh server printed before it started `contacts-broker connect`. It does no harm, but
/// delays each connection, and is often meant for people alone.
package struct ShellText: Hashable, Sendable {
  /// The server's name.
  package let host: String
  /// The text on one line, cut to a few hundred bytes.
  package let text: String

  package init(host: String, text: String) {
    self.host = host
    self.text = text
  }
}
