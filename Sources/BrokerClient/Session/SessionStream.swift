import Records

/// The stream that a session reads: its position, and the messages that the program has not read yet.
struct SessionStream {
  var cursor: StreamCursor
  var inbox = Inbox()
  /// The number of the message that last requested the stream.
  var requestID: UInt64 = 0
}
