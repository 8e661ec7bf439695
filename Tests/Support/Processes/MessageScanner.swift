// PostgreSQL's protocol as far as a proxy must know it: where a message ends, and which one commits.

/// The messages in what one side of a connection has sent so far.
struct MessageScanner {
  /// A message of the protocol.
  struct Message {
    let bytes: ArraySlice<UInt8>
    /// Its letter; 0 for the first messages of a client, which have none.
    let type: UInt8

    /// Whether it is the statement COMMIT, for the server to parse.
    var isCommit: Bool {
      type == UInt8(ascii: "P") && bytes.dropFirst(5).starts(with: [0] + "COMMIT".utf8 + [0])
    }
    /// Whether it is a statement NOTIFY, for the server to parse.
    var isNotify: Bool {
      let text = bytes.dropFirst(5).drop { $0 != 0 }.dropFirst()
      return type == UInt8(ascii: "P") && text.starts(with: "NOTIFY ".utf8)
    }
    /// Whether the server passes a notification on to a client.
    var isNotification: Bool { type == UInt8(ascii: "A") }
    /// Whether it ends a series of messages, which the server then answers.
    var isSync: Bool { type == UInt8(ascii: "S") }
    /// Whether the server says that it has answered everything up to a sync.
    var isReady: Bool { type == UInt8(ascii: "Z") }
  }

  private var rest: [UInt8] = []
  /// Whether the next message has no letter: the client's request for a connection.
  private var isStart: Bool

  /// - Parameter isClient: Whether the side is a client, which begins with a message of another form.
  init(isClient: Bool) {
    isStart = isClient
  }

  /// Adds received bytes. Returns the messages that are complete now.
  mutating func add(_ bytes: [UInt8]) -> [Message] {
    rest += bytes
    var messages: [Message] = []
    var start = 0
    while let end = end(of: start) {
      messages.append(Message(bytes: rest[start..<end], type: isStart ? 0 : rest[start]))
      // Questions about encryption come before the request for a connection, which names version 3.
      if isStart { isStart = rest[start + 5] != 3 }
      start = end
    }
    rest.removeFirst(start)
    return messages
  }

  private func end(of start: Int) -> Int? {
    let lengthStart = isStart ? start : start + 1
    guard rest.count >= lengthStart + 4 else { return nil }
    let length = rest[lengthStart..<lengthStart + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = lengthStart + length
    return rest.count >= end ? end : nil
  }
}
