// A device begins to follow its notifications, and says up to where it has them. That may be less than
// it said before, because it lost something, or more than was ever told, because this broker did: then
// what it may have missed is told as such, once for each subscription.

import BrokerCore
import GRDB
import Records
import SQLiteFile

extension SQLiteTransaction {
  func follow(
    from position: NotificationNumber, as identity: SessionIdentity, at now: Timestamp
  ) throws -> NotificationStart {
    let head = try memory.lastNotification(in: db)
    guard position.value - head.value <= BrokerLimits.notificationLead else {
      throw RecordsError.invalid("No notification has the number \(position.value) yet.")
    }
    guard let receiver = try receivers.receiver(of: identity) else {
      let start = max(head, position)
      memory.raiseNotifications(to: start)
      let receiver = try receivers.insert(identity, at: start, now: now)
      memory.forgetReceivers()
      return NotificationStart(receiver: receiver.key, position: start, predecessor: position)
    }
    if position > head || receiver.isLapsed {
      return try startAfterLoss(receiver, from: position, now)
    }
    var sweeping = NotificationSweeping(db: db, memory: memory, now: now)
    try sweeping.acknowledge(receiver.key, through: position)
    try sweeping.finish()
    return NotificationStart(
      receiver: receiver.key, position: max(position, receiver.position),
      predecessor: max(position, receiver.acknowledged))
  }

  /// What was told since the device was here is not known any more.
  private func startAfterLoss(
    _ receiver: ReceiverTable.Receiver, from said: NotificationNumber, _ now: Timestamp
  ) throws -> NotificationStart {
    let position = max(said, receiver.position)
    memory.raiseNotifications(to: position)
    var sweeping = NotificationSweeping(db: db, memory: memory, now: now)
    try sweeping.lapse(receiver.key)
    try sweeping.finish()
    var back = receiver
    (back.position, back.acknowledged, back.waiting) = (position, said, 0)
    (back.isFolding, back.isLapsed) = (false, false)
    try receivers.update(back, now: now)
    memory.forgetReceivers()
    let number = try memory.nextNotification(in: db)
    for id in try subscriptions.told(to: receiver.key) {
      let fold = FoldTable.Fold(
        id: id, first: NotificationNumber(position.value + 1), last: number, count: 0, marks: [])
      try FoldTable(db: db).insert(fold, receiver: receiver.key, isOpen: false)
    }
    return NotificationStart(receiver: receiver.key, position: position, predecessor: said)
  }

  func sweep(_ sweep: NotificationSweep, at now: Timestamp) throws -> SweptNotifications {
    var sweeping = NotificationSweeping(db: db, memory: memory, now: now)
    return try sweeping.sweep(sweep)
  }

  func reapNotifications(before time: Timestamp) throws -> Bool {
    let absent = try StoreKey.fetchAll(
      db.cachedStatement(
        sql: "SELECT key FROM receiver WHERE waiting > 0 AND acknowledged_at < ? LIMIT 10"),
      arguments: [time.microseconds])
    var sweeping = NotificationSweeping(db: db, memory: memory, now: time)
    for key in absent { try sweeping.lapse(key) }
    try sweeping.finish()
    let orphans = try subscriptions.ofRevokedDevices(rowsMaximum: 100)
    for orphan in orphans {
      _ = try retire(orphan.key, orphan.id, to: .deleted, of: orphan.owner)
    }
    memory.forgetReceivers()
    return absent.count == 10 || orphans.count == 100
  }

  /// Erases what notifications keep of records that were deleted up to a revision.
  func eraseNotifications(in zone: StoreKey, through revision: Revision) throws {
    try db.run(
      """
      UPDATE notification SET old_fields = NULL, new_fields = NULL
      WHERE zone = ?1 AND name IN
        (SELECT name FROM record WHERE zone = ?1 AND kind = 1 AND revision <= ?2)
      """, [zone, revision.value])
  }
}
