// How changes of a directory reach an account's connections. A connection whose socket takes nothing is
// sent none: they would wait in memory, and everything that happens to the account's zones adds to them.
// Once it takes more, the whole directory is read for it; so it is behind a greeting that missed much.

import Records

/// What a connection has not been sent of its directory.
struct DirectoryPush {
  /// Whether a change was left out.
  var hasMissed = false
  /// Whether the whole directory is being read for the connection.
  var isReading = false
}

extension Broker {
  /// Sends a connection what changed in its directory, or notes that it has missed it.
  mutating func push(_ page: DirectoryPage, to connection: ConnectionID) {
    guard let session = sessions[connection] else { return }
    guard session.isOpen, !session.directory.isReading else {
      sessions[connection]?.directory.hasMissed = true
      return
    }
    actions.append(.send(connection, replyTo: 0, .directory(page)))
  }

  /// Has the directory read for a connection that missed a change of it and takes more now.
  mutating func readMissedDirectory(_ connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity, session.isOpen,
      session.directory.hasMissed, !session.directory.isReading,
      answers.begin(connection, of: identity.accountKey)
    else { return }
    sessions[connection]?.directory = DirectoryPush(hasMissed: false, isReading: true)
    actions.append(.read(.directory(connection, replyTo: 0, identity)))
  }

  /// Whether the broker has the directory read for a connection by itself. A question under the number
  /// 0, which is the broker's for what it says by itself, is its client's mistake, and is answered first.
  func isReadingDirectory(_ connection: ConnectionID) -> Bool {
    guard let session = sessions[connection] else { return false }
    return session.directory.isReading && session.reads[0] == nil
  }

  /// The directory was read; `nil` where it could not be, and is read again at the next change or when
  /// the socket takes more.
  mutating func readDirectory(_ page: DirectoryPage?, for connection: ConnectionID) {
    sessions[connection]?.directory.isReading = false
    guard let page else {
      sessions[connection]?.directory.hasMissed = true
      return settleAnswers(of: connection)
    }
    push(page, to: connection)
    readMissedDirectory(connection)
    settleAnswers(of: connection)
  }
}
