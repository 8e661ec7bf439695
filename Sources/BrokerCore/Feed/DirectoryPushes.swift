// Sends changes of directories to the accounts' connections. A connection whose socket is full gets none,
// because they would wait in memory without a limit. When its socket is writable again, the whole directory
// is read for it, as after a greeting that missed many changes.

import Records

/// Tracks whether a connection has received all changes of its directory.
struct DirectoryPush: Sendable {
  /// Whether the connection missed a change.
  var hasMissed = false
  /// Whether the whole directory is being read for the connection.
  var isReading = false
}

/// The directory of an account in a container.
package struct DirectoryKey: Hashable, Sendable {
  /// The row of the container.
  package let container: StoreKey
  /// The row of the account.
  package let account: StoreKey

  package init(container: StoreKey, account: StoreKey) {
    self.container = container
    self.account = account
  }

  init(_ identity: SessionIdentity) {
    self.init(container: identity.container, account: identity.accountKey)
  }
}

extension Broker {
  /// Sends the changes of directories to their accounts' connections.
  mutating func publish(_ directories: [DirectoryCommit]) {
    for directory in DirectoryCommit.joined(directories) {
      let connections = accounts.connections(of: directory.key)
      // Device names serve users, who have a few devices. An account with many gets them in greetings only.
      let isCrowd = connections.count > BrokerLimits.devicesPerDirectory
      if directory.page.isAboutDevicesOnly, isCrowd { continue }
      push(directory.page, to: connections)
    }
    // One by one: the deletion of a zone that was created again is in the earlier page only.
    for directory in directories {
      // NB: a zone that a participant lost still exists for its owner; see `cut`.
      for entry in directory.page.entries where entry.isDeleted && entry.role == .owner {
        removeFeed(FeedKey(container: directory.container, zone: entry.zone))
      }
    }
  }

  private mutating func push(_ page: DirectoryPage, to connections: Set<ConnectionID>) {
    var recipients: [ConnectionID] = []
    for connection in connections {
      guard let session = sessions[connection] else { continue }
      if session.socket.isWritable, !session.directory.isReading, !session.directory.hasMissed {
        recipients.append(connection)
      } else {
        sessions[connection]?.directory.hasMissed = true
      }
    }
    if !recipients.isEmpty { actions.append(.broadcast(.directory(page), to: recipients)) }
  }

  /// Starts to read the directory for a connection that missed a change and whose socket is writable.
  mutating func readMissedDirectory(_ connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity,
      session.socket.isWritable, session.directory.hasMissed, !session.directory.isReading,
      answers.begin(connection, of: identity.accountKey)
    else { return }
    sessions[connection]?.directory = DirectoryPush(hasMissed: false, isReading: true)
    actions.append(.read(.directory(identity, connection)))
  }

  /// Sends the directory that was read for a connection that missed a change. If it could not be read
  /// (`nil`), the broker tries again at the next second.
  mutating func readDirectory(_ page: DirectoryPage?, for connection: ConnectionID) {
    sessions[connection]?.directory.isReading = false
    guard let page, sessions[connection]?.socket.isWritable == true else {
      sessions[connection]?.directory.hasMissed = true
      return settleAnswers(of: connection)
    }
    // Also if the connection missed more meanwhile. Under constant changes it would otherwise receive none.
    actions.append(.broadcast(.directory(page), to: [connection]))
    readMissedDirectory(connection)
    settleAnswers(of: connection)
  }
}

extension DirectoryCommit {
  /// The maximum number of changes in a joined page.
  private static let joinedChanges = 64

  fileprivate var key: DirectoryKey { DirectoryKey(container: container, account: account) }

  /// Joins consecutive pages of one directory, as if they had been read from disk together. Each page is
  /// sent to all connections of an account, which can be many.
  static func joined(_ commits: [DirectoryCommit]) -> [DirectoryCommit] {
    var joined: [DirectoryCommit] = []
    var last: [DirectoryKey: Int] = [:]
    for commit in commits {
      if let index = last[commit.key], let page = joined[index].page.followed(by: commit.page),
        page.changeCount <= joinedChanges
      {
        joined[index] = DirectoryCommit(
          container: commit.container, account: commit.account, page: page)
      } else {
        last[commit.key] = joined.count
        joined.append(commit)
      }
    }
    return joined
  }
}

extension DirectoryPage {
  fileprivate var changeCount: Int { entries.count + devices.count + subscriptions.count }

  /// This page and the next one as one page with the later state of each thing; `nil` if another page
  /// belongs between them.
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
