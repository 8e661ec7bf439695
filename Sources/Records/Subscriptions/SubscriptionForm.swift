// A subscription as it is sent and stored. Devices and stores pass it on without parsing the
// predicate; the broker validates it when it creates a `CompiledSubscription`. A newer broker can therefore
// accept more from the same bytes.

/// A subscription as the client saved it.
package struct SubscriptionForm: Hashable, Sendable {
  /// The records that a subscription covers.
  package enum Kind: Hashable, Sendable {
    /// Records of one type that match a predicate, in one zone or in the whole database.
    case query(type: RecordType, predicate: PredicateText, zone: ZoneID?)
    /// All records of a zone, or those of one type.
    case zone(ZoneID, type: RecordType?)
    /// All records of the database, or those of one type.
    case database(type: RecordType?)
  }

  /// The subscription's id.
  package let id: SubscriptionID
  /// The device that receives the notifications; `nil` for all devices of the account.
  package let device: DeviceID?
  /// The database.
  package let database: DatabaseScope
  /// The covered records.
  package let kind: Kind
  /// The kinds of change that match.
  package let options: FiringOptions
  /// Whether the subscription is deleted after its first notification.
  package let firesOnce: Bool
  /// Whether the device that made a change is notified as well.
  package let includesOwnChanges: Bool
  /// The content of the notifications.
  package let notification: NotificationForm

  package init(
    id: SubscriptionID, device: DeviceID? = nil, database: DatabaseScope = .private, kind: Kind,
    options: FiringOptions = [.creation, .update, .deletion], firesOnce: Bool = false,
    includesOwnChanges: Bool = false, notification: NotificationForm = NotificationForm()
  ) {
    self.id = id
    self.device = device
    self.database = database
    self.kind = kind
    self.options = options
    self.firesOnce = firesOnce
    self.includesOwnChanges = includesOwnChanges
    self.notification = notification
  }

  /// The zone that the subscription names; `nil` for the whole database.
  package var zone: ZoneID? {
    switch kind {
    case .query(_, _, let zone): zone
    case .zone(let zone, _): zone
    case .database: nil
    }
  }
}

/// A predicate's text and the arguments for its `%@` placeholders.
package struct PredicateText: Hashable, Sendable {
  /// The text.
  package let text: String
  /// The arguments, in the order of the placeholders. They are never parsed as text.
  package let arguments: [Value]

  package init(_ text: String, arguments: [Value] = []) {
    self.text = text
    self.arguments = arguments
  }
}

/// The template of a subscription's notifications. A `Firing` has the same type as its content, with
/// the field names replaced by the record's values.
package struct NotificationForm: Hashable, Sendable {
  /// The title, with field names in braces; `nil` for none.
  package var title: String?
  /// The body, in the same form. Without a title and a body, the user is not alerted.
  package var body: String?
  /// Whether the notification increments the count of unseen notifications.
  package var raisesBadge = false
  /// The name of a sound.
  package var sound: String?
  /// The category, by which a program selects the available actions.
  package var category: String?
  /// The fields to include.
  package var desiredKeys: [FieldKey] = []
  /// Whether a program is woken without alerting the user.
  package var isContentAvailable = false
  /// The collapse key. Of a device's pending notifications with the same key, only the latest is
  /// retained.
  package var collapseKey: String?

  /// Creates a template without texts and options.
  package init() {}
}

/// A subscription as the broker stores it.
package struct SubscriptionState: Hashable, Sendable {
  /// The subscription's id.
  package let id: SubscriptionID
  /// The saved subscription; `nil` if it was deleted or, with a failure, if this version cannot
  /// decode it.
  package let form: SubscriptionForm?
  /// Why the subscription is switched off until it is saved again, or why it cannot be decoded.
  package let failure: RecordsError?

  package init(id: SubscriptionID, form: SubscriptionForm?, failure: RecordsError? = nil) {
    self.id = id
    self.form = form
    self.failure = failure
  }
}
