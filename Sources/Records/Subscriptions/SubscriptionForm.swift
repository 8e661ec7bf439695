// A subscription as it travels and is kept: the words of whoever saved it. Devices and the store pass
// it on without reading its predicate; the broker makes a `Subscription` of it, which is where what
// is wrong with it is found. So a broker of a later version can understand more of the same bytes.

/// A subscription as somebody wrote it.
package struct SubscriptionForm: Hashable, Sendable {
  /// What it looks at.
  package enum Kind: Hashable, Sendable {
    /// Records of a type for which a predicate holds, in one zone or in the whole database.
    case query(type: RecordType, predicate: PredicateText, zone: ZoneID?)
    /// Everything in a zone, or everything of one type in it.
    case zone(ZoneID, type: RecordType?)
    /// Everything in the database, or everything of one type in it.
    case database(type: RecordType?)
  }

  /// Its name.
  package let id: SubscriptionID
  /// The device it belongs to; `nil` for all of the account's.
  package let device: DeviceID?
  /// The database.
  package let database: DatabaseScope
  /// What it looks at.
  package let kind: Kind
  /// Which changes are told.
  package let options: FiringOptions
  /// Whether it is gone after it was told once.
  package let firesOnce: Bool
  /// Whether the device that made a change is told as well.
  package let includesOwnChanges: Bool
  /// What is told.
  package let notification: NotificationForm

  /// A subscription; nothing is checked.
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

  /// The zone it names; `nil` for the whole database.
  package var zone: ZoneID? {
    switch kind {
    case .query(_, _, let zone): zone
    case .zone(let zone, _): zone
    case .database: nil
    }
  }
}

/// A predicate as text, with the values that stand for its `%@`.
package struct PredicateText: Hashable, Sendable {
  /// The text.
  package let text: String
  /// The values, in the order of their places. They are never read as text.
  package let arguments: [Value]

  /// A predicate; nothing is checked.
  package init(_ text: String, arguments: [Value] = []) {
    self.text = text
    self.arguments = arguments
  }
}

/// What a subscription's notifications say, as somebody wrote it. See `Firing` for what becomes of
/// it.
package struct NotificationForm: Hashable, Sendable {
  /// The heading, with fields' names in braces; `nil` for none.
  package var title: String?
  /// The text, likewise. Without title and text nobody is disturbed.
  package var body: String?
  /// Whether the number of unseen notifications is raised.
  package var raisesBadge = false
  /// The sound's name.
  package var sound: String?
  /// The kind of notification, by which a program chooses what can be done with it.
  package var category: String?
  /// The fields sent along.
  package var desiredKeys: [FieldKey] = []
  /// Whether a program is woken without a person seeing anything.
  package var isContentAvailable = false
  /// Of those that wait for a device only the latest with the same key is kept.
  package var collapseKey: String?

  /// Nothing but the fact.
  package init() {}
}

/// A subscription as the broker has it.
package struct SubscriptionState: Hashable, Sendable {
  /// Its name.
  package let id: SubscriptionID
  /// What was saved; `nil` once it is gone, or, with a failure, where this version cannot read it.
  package let form: SubscriptionForm?
  /// Why it is switched off, until it is saved again; or why it cannot be read.
  package let failure: RecordsError?

  /// The state of a subscription.
  package init(id: SubscriptionID, form: SubscriptionForm?, failure: RecordsError? = nil) {
    self.id = id
    self.form = form
    self.failure = failure
  }
}
