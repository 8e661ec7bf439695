// Files that the broker has lost. They are asked for again: of devices that want to hear of such files,
// and of those only what their account has for its records or writes beside, so that nobody learns
// of a file by its being lost. Who asked for a lost file is told when it is back. Both are told a page
// or a message at a time, and neither is promised: the next connection asks anew.

import Records

/// Who hears of lost files, and who waits for one.
struct LostAssets: Sendable {
  /// The seconds from one telling of new losses to the next, so that many at once are told together.
  static let secondsBetweenTellings: Int64 = 10

  /// Who wants to hear of losses.
  private(set) var listeners: Set<ConnectionID> = []
  /// Whether files were lost that nobody was told of.
  private(set) var areUntold = false
  private var toldSeconds: Int64?
  private var waiting: [AssetDigest: Set<ConnectionID>] = [:]
  private var missing: [ConnectionID: Set<AssetDigest>] = [:]

  mutating func listen(_ connection: ConnectionID) { listeners.insert(connection) }

  mutating func happened() { areUntold = true }

  /// Those who are to be told now; nobody, unless something was lost and it is time.
  mutating func told(atSeconds now: Int64) -> [ConnectionID] {
    guard areUntold, toldSeconds.map({ now - $0 >= Self.secondsBetweenTellings }) ?? true else {
      return []
    }
    areUntold = false
    toldSeconds = now
    return listeners.sorted { $0.value < $1.value }
  }

  /// Somebody asked for a file that is lost.
  mutating func missed(_ digest: AssetDigest, by connection: ConnectionID) {
    guard missing[connection, default: []].count < Limits.missedAssetsPerSession else { return }
    missing[connection, default: []].insert(digest)
    waiting[digest, default: []].insert(connection)
  }

  /// The file is there again: who waited for it.
  mutating func found(_ digest: AssetDigest) -> [ConnectionID] {
    let connections = waiting.removeValue(forKey: digest) ?? []
    for connection in connections {
      missing[connection]?.remove(digest)
      if missing[connection]?.isEmpty == true { missing[connection] = nil }
    }
    return connections.sorted { $0.value < $1.value }
  }

  mutating func forget(_ connection: ConnectionID) {
    listeners.remove(connection)
    for digest in missing.removeValue(forKey: connection) ?? [] {
      waiting[digest]?.remove(connection)
      if waiting[digest]?.isEmpty == true { waiting[digest] = nil }
    }
  }
}

extension Broker {
  /// A device asks what it may send again, and wants to hear of it from here on. One question at a
  /// time: each may cost a look at all lost files.
  mutating func asked(
    forLossesAfter digest: AssetDigest?, _ number: UInt64, _ connection: ConnectionID,
    _ identity: SessionIdentity
  ) {
    losses.listen(connection)
    guard sessions[connection]?.isAskingForLosses == false else {
      let error = RecordsError(
        .requestRateLimited, "Lost files are being looked up for this connection already.",
        hint: "Wait for the answer.", retryAfterSeconds: 1)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    lookUpLosses(after: digest, number: number, for: connection, identity)
  }

  private mutating func lookUpLosses(
    after digest: AssetDigest?, number: UInt64, for connection: ConnectionID,
    _ identity: SessionIdentity
  ) {
    sessions[connection]?.isAskingForLosses = true
    began(connection)
    ask(
      .wantedAssets(connection, replyTo: number, identity, after: digest), number: number,
      for: connection)
  }

  /// Lost files were looked up, or could not be.
  mutating func lookedUpLosses(
    _ connection: ConnectionID, _ message: BrokerMessage, number: UInt64
  ) {
    sessions[connection]?.isAskingForLosses = false
    finished(connection)
    // Who did not ask is told only what concerns it.
    if number == 0 {
      guard case .wantedAssets(let assets, _) = message, !assets.isEmpty else { return }
    }
    tell(message, number, connection)
  }

  /// Files were found to be lost, or to be there again.
  mutating func noted(lost: Int, found: [AssetDigest]) {
    if lost > 0 { losses.happened() }
    for digest in found { tellFound(digest) }
  }

  /// Tells those who want to hear of it that files were lost: each the first of those that are its.
  mutating func tellLosses() {
    for connection in losses.told(atSeconds: seconds) {
      guard let session = sessions[connection], let identity = session.identity else { continue }
      // What is being looked up just now has seen it, or the device asks on behind it.
      guard !session.isAskingForLosses else {
        losses.happened()
        continue
      }
      lookUpLosses(after: nil, number: 0, for: connection, identity)
    }
  }

  /// Tells those who asked for a file in vain that it is here.
  mutating func tellFound(_ digest: AssetDigest) {
    for connection in losses.found(digest) { tellHeld(digest, number: 0, connection) }
  }
}
