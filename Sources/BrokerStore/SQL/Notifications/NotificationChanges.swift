import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  func follow(
    from position: NotificationNumber, as identity: SessionIdentity, at now: Timestamp
  ) throws -> NotificationStart {
    let head = try memory.lastNotificationNumber(in: db)
    guard position.value - head.value <= BrokerLimits.notificationLead else {
      throw RecordsError.invalid("No notification has the number \(position.value) yet.")
    }
    guard let receiver = try receivers.receiver(of: identity) else {
      let start = max(head, position)
      memory.raiseNotificationNumber(to: start)
      let receiver = try receivers.insert(identity, at: start, now: now)
      memory.invalidateReceivers()
      return NotificationStart(receiver: receiver.key, position: start, predecessor: position)
    }
    if position > head || receiver.isBacklogDiscarded {
      return try startAfterLoss(receiver, from: position, now)
    }
    var backlogs = BacklogWriter(db: db, memory: memory, now: now)
    try backlogs.acknowledge(receiver.key, through: position)
    try backlogs.save()
    // If the device acknowledged more than it has now, it lost data. The predecessor shows it the gap.
    return NotificationStart(
      receiver: receiver.key, position: max(position, receiver.position),
      predecessor: max(position, receiver.acknowledged))
  }

  /// Starts delivery to a device whose missed notifications are unknown: either the broker discarded its
  /// backlog, or the device has a number that this broker never assigned, because the broker was restored
  /// from a backup. The device gets one collapsed notification for each subscription instead.
  private func startAfterLoss(
    _ receiver: ReceiverTable.Receiver, from claimed: NotificationNumber, _ now: Timestamp
  ) throws -> NotificationStart {
    let position = max(claimed, receiver.position)
    memory.raiseNotificationNumber(to: position)
    var backlogs = BacklogWriter(db: db, memory: memory, now: now)
    try backlogs.discardBacklog(of: receiver.key)
    try backlogs.save()
    var restarted = receiver
    (restarted.position, restarted.acknowledged, restarted.waiting) = (position, claimed, 0)
    (restarted.isCollapsing, restarted.isBacklogDiscarded) = (false, false)
    try receivers.update(restarted, now: now)
    memory.invalidateReceivers()
    let number = try memory.nextNotificationNumber(in: db)
    for id in try subscriptions.ids(notifying: receiver.key) {
      let entry = CollapsedNotificationTable.Entry(
        id: id, first: NotificationNumber(position.value + 1), last: number, count: 0, zones: [])
      try CollapsedNotificationTable(db: db).insert(
        entry, receiver: receiver.key, isOpen: false)
    }
    return NotificationStart(receiver: receiver.key, position: position, predecessor: claimed)
  }

  func sweep(_ sweep: NotificationCleanup, at now: Timestamp) throws -> CleanedNotifications {
    var backlogs = BacklogWriter(db: db, memory: memory, now: now)
    return try backlogs.apply(sweep)
  }

  func expireBacklogs(before time: Timestamp) throws -> Bool {
    let devicesMaximum = 10
    let subscriptionsMaximum = 100
    let absent =
      try
      (db.column(
        "SELECT key FROM receiver WHERE waiting > 0 AND acknowledged_at < ? LIMIT ?",
        [time.microseconds, devicesMaximum]) as [StoreKey])
    var backlogs = BacklogWriter(db: db, memory: memory, now: time)
    for key in absent { try backlogs.discardBacklog(of: key) }
    try backlogs.save()
    let orphans = try subscriptions.activeRowsOfRevokedDevices(rowsMaximum: subscriptionsMaximum)
    for orphan in orphans {
      _ = try deactivate([orphan], as: .deleted, of: orphan.owner)
    }
    memory.invalidateReceivers()
    return absent.count == devicesMaximum || orphans.count == subscriptionsMaximum
  }

  /// Erases the field values in notifications about records that were deleted up to a revision.
  func eraseNotifications(in zone: StoreKey, through revision: Revision) throws {
    try db.run(
      """
      UPDATE notification SET old_fields = NULL, new_fields = NULL
      WHERE zone = ?1 AND name IN
        (SELECT name FROM record WHERE zone = ?1 AND kind = 1 AND revision <= ?2)
      """, [zone, revision.value])
  }
}
