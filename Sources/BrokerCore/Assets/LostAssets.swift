// Announcements about files that the broker has lost. A device that asked for lost files learns which ones it
// may upload again: only files that records of its account refer to, or records of a shared zone that the
// account may write to. It learns of no other account's files. A client that asked for a lost file receives a
// message when the file is available again. Neither message is guaranteed, so a device asks again on its next
// connection.

import Records

/// The connections that receive announcements of lost files, and those that wait for a lost file.
struct LostAssets: Sendable {
  /// The least time between two announcements, so that many losses are announced together.
  static let secondsBetweenAnnouncements: Int64 = 10

  /// The connections that asked for lost files and receive announcements of new ones.
  private(set) var listeners: Set<ConnectionID> = []
  /// Whether files were lost since the last announcement.
  private(set) var hasNews = false
  private var announcedSeconds: Int64?
  /// The connections that wait for a lost file, by file, and the files by connection.
  private var waiting: [AssetDigest: Set<ConnectionID>] = [:]
  private var missing: [ConnectionID: Set<AssetDigest>] = [:]

  mutating func listen(_ connection: ConnectionID) { listeners.insert(connection) }

  mutating func lost() { hasNews = true }

  /// Returns the connections to notify now, in order: all listeners if there are unannounced losses and
  /// enough time has passed, else none.
  mutating func announce(atSeconds now: Int64) -> [ConnectionID] {
    let isTime =
      announcedSeconds.map { now - $0 >= Self.secondsBetweenAnnouncements } ?? true
    guard hasNews, isTime else { return [] }
    hasNews = false
    announcedSeconds = now
    return listeners.sorted { $0.value < $1.value }
  }

  /// Adds a connection that asked for a lost file, unless it waits for too many.
  mutating func missed(_ digest: AssetDigest, by connection: ConnectionID) {
    guard missing[connection, default: []].count < Limits.missedAssetsPerSession else { return }
    missing[connection, default: []].insert(digest)
    waiting[digest, default: []].insert(connection)
  }

  /// Removes and returns the connections that waited for a file, in order, because it is available again.
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
  /// Looks up which lost files a device may upload again, and announces new losses to it from now on. A
  /// connection may have one lookup at a time, because each may have to search all lost files.
  mutating func lookUpWantedAssets(after digest: AssetDigest?, _ context: RequestContext) {
    let connection = context.connection
    assets.losses.listen(connection)
    guard sessions[connection]?.assets.isLookingUpLosses == false else {
      return reply(
        .error(
          RecordsError(
            .requestRateLimited, "This connection already waits for a list of lost files.",
            hint: "Wait for the answer.", retryAfterSeconds: 1)), to: context)
    }
    sessions[connection]?.assets.isLookingUpLosses = true
    read(.wantedAssets(after: digest), context)
  }

  /// Sends the result of a lookup of lost files, which may be an error.
  mutating func lookedUpWantedAssets(_ message: BrokerMessage, _ context: RequestContext) {
    sessions[context.connection]?.assets.isLookingUpLosses = false
    finished(context.connection)
    // An announcement is sent only to a device that has something to upload.
    if context.replyTo == 0 {
      guard case .wantedAssets(let assets, _) = message, !assets.isEmpty else { return }
    }
    reply(message, to: context)
  }

  /// Schedules an announcement of new losses, and announces the files that are available again.
  mutating func recorded(lost: Int, found: [AssetDigest]) {
    if lost > 0 { assets.losses.lost() }
    for digest in found { announceFound(digest) }
  }

  /// Looks up, for each device that receives announcements, the first lost files that it may upload.
  mutating func announceLosses() {
    for connection in assets.losses.announce(atSeconds: seconds) {
      guard let session = sessions[connection], let identity = session.identity else { continue }
      // A lookup under way may not have seen the loss.
      guard !session.assets.isLookingUpLosses, !session.reads.isAnswering(0) else {
        assets.losses.lost()
        continue
      }
      lookUpWantedAssets(
        after: nil,
        RequestContext(connection: connection, replyTo: 0, identity: identity))
    }
  }

  /// Notifies the clients that asked for a lost file that it is available again.
  mutating func announceFound(_ digest: AssetDigest) {
    for connection in assets.losses.found(digest) {
      actions.append(.send(connection, replyTo: 0, .held(digest)))
    }
  }
}
