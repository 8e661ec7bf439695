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
  /// Sends connections what changed in their account's directory, or notes that they have missed it.
  mutating func push(_ page: DirectoryPage, to connections: Set<ConnectionID>) {
    var recipients: [ConnectionID] = []
    for connection in connections {
      guard let session = sessions[connection] else { continue }
      if session.isOpen, !session.directory.isReading, !session.directory.hasMissed {
        recipients.append(connection)
      } else {
        sessions[connection]?.directory.hasMissed = true
      }
    }
    if !recipients.isEmpty { actions.append(.tell(recipients, .directory(page))) }
  }

  /// Has the directory read for a connection that missed a change of it and takes more now.
  mutating func readMissedDirectory(_ connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity, session.isOpen,
      session.directory.hasMissed, !session.directory.isReading,
      answers.begin(connection, of: identity.accountKey)
    else { return }
    sessions[connection]?.directory = DirectoryPush(hasMissed: false, isReading: true)
    actions.append(.read(.missedDirectory(connection, identity)))
  }

  /// The directory was read; `nil` where it could not be, and is read again at the next tick.
  mutating func readDirectory(_ page: DirectoryPage?, for connection: ConnectionID) {
    sessions[connection]?.directory.isReading = false
    guard let page, sessions[connection]?.isOpen == true else {
      sessions[connection]?.directory.hasMissed = true
      return settleAnswers(of: connection)
    }
    // Also where more was missed meanwhile: who is told of constant changes would else hear of none.
    actions.append(.tell([connection], .directory(page)))
    readMissedDirectory(connection)
    settleAnswers(of: connection)
  }
}

extension DirectoryCommit {
  /// What one page tells at most that was joined from several.
  private static let joinedChanges = 64

  /// The same changes in fewer pages: those of one directory that follow each other are one, as though
  /// they had been read from disk. An account's connections are sent each page, and may be many.
  static func joined(_ commits: [DirectoryCommit]) -> [DirectoryCommit] {
    var joined: [DirectoryCommit] = []
    var last: [Broker.DirectoryKey: Int] = [:]
    for commit in commits {
      let key = Broker.DirectoryKey(container: commit.container, account: commit.account)
      if let index = last[key], let page = joined[index].page.followed(by: commit.page),
        page.changeCount <= joinedChanges
      {
        joined[index] = DirectoryCommit(
          container: commit.container, account: commit.account, page: page)
      } else {
        last[key] = joined.count
        joined.append(commit)
      }
    }
    return joined
  }
}

extension DirectoryPage {
  fileprivate var changeCount: Int { entries.count + devices.count + subscriptions.count }

  /// This page and the next one as one, in which the later state of each thing stands; `nil` where there
  /// is something between them.
  fileprivate func followed(by next: DirectoryPage) -> DirectoryPage? {
    guard to == next.from else { return nil }
    return DirectoryPage(
      from: from, to: next.to,
      entries: entries.filter { old in !next.entries.contains { $0.zone == old.zone } }
        + next.entries,
      devices: next.devices
        + devices.filter { old in !next.devices.contains { $0.id == old.id } },
      subscriptions: subscriptions.filter { old in
        !next.subscriptions.contains { $0.id == old.id }
      } + next.subscriptions)
  }
}
