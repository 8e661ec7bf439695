// Notifications for an agent without a broker: what a broker would say, said to its replica.

import DeviceDriver
import DeviceStore
import Records
import SyncCore

@testable import AgentDaemon

extension RunningAgent {
  static let account = AccountID(7)

  /// A zone of another account. The device has read it past the records of all notifications, so no
  /// notification waits for its record.
  static let zone = ZoneID(owner: AccountID(5), name: .standard)

  /// What the broker says of the zone.
  private static var sight: [BrokerMessage] {
    let entry = DirectoryEntry(
      revision: Revision(1), zone: zone, title: "Rowing", role: .member, isWritable: true,
      incarnation: Incarnation(1), isDeleted: false)
    return [
      .directory(DirectoryPage(from: .zero, to: Revision(1), entries: [entry])),
      .level(
        zone: zone, incarnation: Incarnation(1), head: Revision(1000), scanStart: Revision(1000)),
    ]
  }

  /// A change of a record in the zone.
  static func change(
    _ number: Int64, name: String = "r", reason: MatchReason = .created, title: String? = "news",
    body: String? = nil, device: DeviceID = DeviceID(9), collapseKey: String? = nil
  ) throws -> ChangeNotification {
    var content = NotificationForm()
    content.title = title
    content.body = body
    content.raisesBadge = true
    content.collapseKey = collapseKey
    return ChangeNotification(
      number: NotificationNumber(number), predecessor: NotificationNumber(number - 1),
      database: .private,
      record: RecordID(zone: zone, name: RecordName(stored: name)),
      type: RecordType(stored: "Contact"), tag: Revision(number),
      modified: Stamp(
        time: Timestamp(microseconds: number),
        origin: Origin(account: account, device: device, request: RequestNumber(number))),
      firings: [
        Firing(
          subscription: try SubscriptionID("s"), reason: reason, content: content,
          fields: EncodedRecord(["company": .string("Acme")]), isPruned: false)
      ])
  }

  /// Says that the zone is no longer shared with the account.
  func loseZone() async throws {
    let gone = DirectoryEntry(
      revision: Revision(2), zone: Self.zone, title: "", role: .member, isWritable: false,
      incarnation: Incarnation(1), isDeleted: true, isShared: true)
    try await hear(DirectoryPage(from: Revision(1), to: Revision(2), entries: [gone]))
  }

  /// Says that a group of Bob's is shared with the account now.
  func gainZone() async throws { try await hear(participants: [], at: Revision(2)) }

  /// Says that Eve joined that group, which the account manages.
  func join() async throws {
    let eve = ZoneMember(account: AccountID(0xE), name: "eve", displayName: "Eve E.")
    try await hear(participants: [eve], at: Revision(3))
  }

  private func hear(participants: [ZoneMember], at revision: Revision) async throws {
    let entry = DirectoryEntry(
      revision: revision, zone: ZoneID(owner: AccountID(0xB0B), name: ZoneName(0xB0B)),
      title: "Choir", role: .administrator, isWritable: true, incarnation: Incarnation(2),
      isDeleted: false, ownerName: "bob", isShared: true, ownerDisplayName: "Bob B.",
      members: participants)
    try await hear(DirectoryPage(from: Revision(1), to: revision, entries: [entry]))
  }

  private func hear(_ page: DirectoryPage) async throws {
    try await driver.edit { replica, now in
      ((), try replica.received(.directory(page), replyTo: nil, now: now))
    }
  }

  /// Says a page of notifications, after a welcome.
  func hear(
    _ notifications: [ChangeNotification], collapsed: [CollapsedNotifications] = []
  ) async throws {
    let page = NotificationPage(
      notifications: notifications, collapsed: collapsed, isLevel: true)
    try await driver.edit { replica, now in
      let isFirst = replica.phase == .offline
      var actions = try Self.meet(replica, now)
      for message in isFirst ? Self.sight : [] {
        actions += try replica.received(message, replyTo: nil, now: now)
      }
      actions += try replica.received(.notifications(page), replyTo: nil, now: now)
      return ((), actions)
    }
  }
}
