// Converts notifications. Desired fields stay encoded until a program displays them.

import FoundationEssentials
import Records
import SwiftProtobuf

extension NotificationPage {
  init(_ wire: WireNotifications) throws(RecordsError) {
    var notifications: [ChangeNotification] = []
    for notification in wire.notifications {
      notifications.append(try ChangeNotification(notification))
    }
    var collapsed: [CollapsedNotifications] = []
    for summary in wire.collapsed { collapsed.append(try CollapsedNotifications(summary)) }
    self.init(notifications: notifications, collapsed: collapsed, isLevel: wire.isLevel)
  }

  var wire: WireNotifications {
    .with {
      $0.notifications = notifications.map(\.wire)
      $0.collapsed = collapsed.map(\.wire)
      $0.isLevel = isLevel
    }
  }
}

extension ChangeNotification {
  fileprivate init(_ wire: WireNotification) throws(RecordsError) {
    var firings: [Firing] = []
    for firing in wire.firings { firings.append(try Firing(firing)) }
    self.init(
      number: try NotificationNumber(wire: wire.number),
      predecessor: try NotificationNumber(wire: wire.predecessor),
      database: try DatabaseScope(wire.database),
      record: RecordID(
        zone: try ZoneID(wire.record.zone), name: try RecordName(received: wire.record.name)),
      type: try RecordType(wire.type), tag: try Revision(wire: wire.tag),
      modified: try Stamp(wire.modified), firings: firings)
  }

  fileprivate var wire: WireNotification {
    .with {
      $0.number = number.wire
      $0.predecessor = predecessor.wire
      $0.database = database.wire
      $0.record = record.wire
      $0.type = type.text
      $0.tag = tag.wire
      $0.modified = modified.wire
      $0.firings = firings.map(\.wire)
    }
  }
}

extension Firing {
  fileprivate init(_ wire: WireFiring) throws(RecordsError) {
    guard let reason = MatchReason(rawValue: UInt8(clamping: wire.reason.rawValue)) else {
      throw .unknownKind(of: "reason")
    }
    var content = NotificationForm()
    content.title = wire.hasTitle ? wire.title : nil
    content.body = wire.hasBody ? wire.body : nil
    content.raisesBadge = wire.raisesBadge
    content.sound = wire.hasSound ? wire.sound : nil
    content.category = wire.hasCategory ? wire.category : nil
    content.isContentAvailable = wire.isContentAvailable
    content.collapseKey = wire.hasCollapseKey ? wire.collapseKey : nil
    self.init(
      subscription: SubscriptionID(stored: wire.subscription), reason: reason, content: content,
      fields: EncodedRecord(stored: Array(wire.fields)), isPruned: wire.isPruned)
  }

  fileprivate var wire: WireFiring {
    .with {
      $0.subscription = subscription.text
      $0.reason = WireFiringReason(rawValue: Int(reason.rawValue)) ?? .created
      if let title = content.title { $0.title = title }
      if let body = content.body { $0.body = body }
      $0.raisesBadge = content.raisesBadge
      if let sound = content.sound { $0.sound = sound }
      if let category = content.category { $0.category = category }
      $0.isContentAvailable = content.isContentAvailable
      if let key = content.collapseKey { $0.collapseKey = key }
      $0.fields = Data(fields.bytes)
      $0.isPruned = isPruned
    }
  }
}

extension CollapsedNotifications {
  fileprivate init(_ wire: WireCollapsed) throws(RecordsError) {
    let count = try checkedNumber(wire.count, of: "count of collapsed notifications")
    self.init(
      subscription: SubscriptionID(stored: wire.subscription),
      zones: try ZonePosition.list(wire.zones), first: try NotificationNumber(wire: wire.first),
      last: try NotificationNumber(wire: wire.last), count: count)
  }

  fileprivate var wire: WireCollapsed {
    .with {
      $0.subscription = subscription.text
      $0.zones = zones.map(\.wire)
      $0.first = first.wire
      $0.last = last.wire
      $0.count = UInt64(clamping: count)
    }
  }
}

extension NotificationNumber {
  init(wire value: UInt64) throws(RecordsError) {
    self.init(try checkedNumber(value, of: "notification number"))
  }

  /// The number as sent. Numbers are never negative.
  var wire: UInt64 { UInt64(value) }
}
