/// The first line that `contacts-broker connect` writes. The frames follow it.
///
/// A server's shell may print something of its own when a command starts. The line separates it from the
/// frames.
package enum ConnectPreamble {
  /// The line, with its end.
  package static let line = Array("contacts-broker connect 1\n".utf8)
  /// The maximum number of bytes before the line.
  package static let precedingBytesMaximum = 4 << 10
}
