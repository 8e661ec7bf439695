// What a participant of a zone does after the broker of the replica tests was restored.

import Records

extension MiniBroker {
  /// A participant sends a state again that a restore has lost. The broker notes who sent it as its author.
  /// - Parameter lost: The state before the restore.
  package func sendAgain(_ lost: Change, in zone: ZoneID, by account: AccountID) {
    let id = zone.resolved(for: self.account)
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: account, device: DeviceID(0xB0B), request: RequestNumber(1)))
    let former = (zones[id]?.lineage.last).map { last in
      FormerVersion(
        VersionVector([VersionVector.Entry(incarnation: last.incarnation, revision: lost.tag)]),
        isExact: true)
    }
    _ = write(
      lost.name, lost.type, lost.kind, lost.record, id, stamp, stamp, move: lost.move,
      former: former)
  }
}
