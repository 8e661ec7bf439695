// How the commits of other brokers on the same database reach this broker's connections. The storage thread reports them
// in the order of all commits, before those of its own that came later. So an account that lost access is cut off here
// before a later change is published, whichever brokers made the two.

import Records

extension Broker {
  /// Publishes what other brokers have committed.
  mutating func take(_ notice: CommitNotice) {
    cut(notice.losses)
    for expulsion in notice.expulsions { expel(expulsion) }
    for key in notice.directories { directoryChanged(key) }
    for advance in notice.zones { publish(advance) }
    for key in notice.deletedZones { removeFeed(key) }
    for notification in notice.notified { deliver(notification) }
    resume(notice.resumed)
    makeDue(notice.jobs)
  }

  /// Reads the whole directory for the account's connections, as for those that missed a change.
  private mutating func directoryChanged(_ key: DirectoryKey) {
    for connection in accounts.connections(of: key) {
      sessions[connection]?.directory.hasMissed = true
      readMissedDirectory(connection)
    }
  }

  private mutating func publish(_ advance: ZoneAdvance) {
    // NB: a connection may have followed the zone after the commit, from its new head or one in between.
    guard let feed = feeds[advance.key], feed.incarnation == advance.incarnation,
      feed.head < advance.head
    else { return }
    guard let changes = advance.changes, advance.from <= feed.head else {
      for connection in feeds.skip(advance.key, to: advance.head) {
        mustCatchUp(connection, in: advance.key.zone)
      }
      return
    }
    let zone = StoredZone(
      key: advance.row, id: advance.key.zone, title: "", incarnation: advance.incarnation,
      head: advance.head, expiredThrough: .zero, isDeleted: false)
    let unpublished = changes.filter { $0.tag > feed.head }
    publish(
      [
        ZoneCommit(
          container: advance.key.container, zone: zone, from: feed.head, changes: unpublished)
      ], to: advance.key)
  }
}
