// What a device is told. Each notification has a number that rises; the program says up to where it
// has taken them in, and after a crash gets the rest again.

import FoundationEssentials
import Records

/// A place in a device's notifications, to be kept by the program beside what it did about them.
public struct NotificationNumber: Hashable, Comparable, Sendable, Codable {
  /// Before the first.
  public static let none = NotificationNumber(.none)

  let stored: Records.NotificationNumber

  init(_ stored: Records.NotificationNumber) {
    self.stored = stored
  }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let value = try container.decode(Int64.self)
    guard value >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "No notification has a negative number.")
    }
    stored = Records.NotificationNumber(value)
  }

  /// Writes it as one number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stored.value)
  }

  /// Whether it comes before.
  public static func < (left: Self, right: Self) -> Bool { left.stored < right.stored }
}

/// What the broker tells a device. CloudKit: `CKNotification`, which comes at most once and in no
/// order; these come at least once, in order, until they are acknowledged.
public enum Notification: Hashable, Sendable {
  /// A record changed. CloudKit: `CKQueryNotification`.
  case changed(RecordNotification)
  /// More waited for the device than the broker keeps: instead of each, that there were some.
  case collapsed(CollapsedNotifications)

  /// What to acknowledge once this, and all before it, is taken in.
  public var number: NotificationNumber {
    switch self {
    case .changed(let notification): notification.number
    case .collapsed(let fold): fold.last
    }
  }
}

/// One change of one record.
public struct RecordNotification: Hashable, Sendable {
  /// Rises, with gaps for what concerns others.
  public let number: NotificationNumber
  /// The record; fetched now, it holds this change or a later one.
  public let recordID: RecordID
  /// The database it is in. CloudKit: `databaseScope`.
  public let database: DatabaseScope
  /// Its type.
  public let recordType: String
  /// When it was changed.
  public let date: Date
  /// The account that changed it, 32 hexadecimal digits.
  public let account: String
  /// The device that changed it, 32 hexadecimal digits.
  public let device: String
  /// The subscriptions that told it, each once.
  public let firings: [Firing]

  init(_ stored: ChangeNotification, account: AccountID) throws(RecordError) {
    number = NotificationNumber(stored.number)
    recordID = RecordID(
      recordName: stored.record.name.text,
      zoneID: ZoneID(stored.record.zone, seenBy: account))
    database = DatabaseScope(stored.database)
    recordType = stored.type.text
    date = Date(stored.modified.time)
    self.account = stored.modified.origin.account.description
    device = stored.modified.origin.device.description
    var firings: [Firing] = []
    for firing in stored.firings { firings.append(try Firing(firing)) }
    self.firings = firings
  }
}

/// A subscription that told a change.
public struct Firing: Hashable, Sendable {
  /// Why, judged on the record before and after. CloudKit: `CKQueryNotification.Reason`.
  public enum Reason: String, Hashable, Sendable {
    /// A record was made that matches.
    case created
    /// A record matched before and does still.
    case updated
    /// A record did not match before and does now.
    case entered
    /// A record matched before and no longer does.
    case left
    /// A record that matched was deleted.
    case deleted
  }

  /// The subscription.
  public let subscriptionID: String
  /// Why.
  public let reason: Reason
  /// What it says, with fields in the place of their names.
  public let content: NotificationContent
  /// The desired fields; of what was deleted or left, those before the change.
  public let recordFields: [String: Value]
  /// Whether not all desired fields fitted.
  public let isPruned: Bool

  init(_ stored: Records.Firing) throws(RecordError) {
    subscriptionID = stored.subscription.text
    reason =
      switch stored.reason {
      case .created: .created
      case .updated: .updated
      case .entered: .entered
      case .left: .left
      case .deleted: .deleted
      }
    content = NotificationContent(stored.content)
    recordFields = try [String: Value](stored.fields)
    isPruned = stored.isPruned
  }
}

/// Notifications that were folded into one, because the device was away for too long. Read the
/// changes of the zones from the tokens, or ask again what the subscription asks.
public struct CollapsedNotifications: Hashable, Sendable {
  /// The subscription that told them.
  public let subscriptionID: String
  /// Where each zone stood before the first change that was folded; no token is the start. Empty where
  /// that is not told, as in the public database: ask again what the subscription asks.
  public let zones: [ZoneID: ChangeToken?]
  /// The first.
  public let first: NotificationNumber
  /// The last.
  public let last: NotificationNumber
  /// How many there were.
  public let count: Int

  init(_ stored: Records.CollapsedNotifications, account: AccountID) {
    subscriptionID = stored.subscription.text
    zones = Dictionary(
      stored.zones.map {
        (ZoneID($0.zone, seenBy: account), $0.token.map { ChangeToken($0) })
      }, uniquingKeysWith: { first, _ in first })
    first = NotificationNumber(stored.first)
    last = NotificationNumber(stored.last)
    count = Int(stored.count)
  }
}
