import Records

/// The content of a subscription's notifications. CloudKit: `CKSubscription.NotificationInfo`.
public struct NotificationContent: Hashable, Sendable {
  /// The title, 1 KiB at most. Names of fields in braces are replaced by the record's values:
  /// `"{firstName} has moved"`.
  public var title: String?
  /// The text, with names of fields as in `title`. Without title and body no alert is shown. CloudKit:
  /// `alertBody`.
  public var body: String?
  /// Whether the notification increments the badge of unseen notifications. CloudKit: `shouldBadge`.
  public var raisesBadge = false
  /// The name of the sound. CloudKit: `soundName`.
  public var sound: String?
  /// A category, from which a program derives the actions it offers.
  public var category: String?
  /// The keys of the fields to include, 16 KiB in total. `Firing.isPruned` reports fields that were left
  /// out.
  public var desiredKeys: [String] = []
  /// Whether the notification wakes programs without showing an alert. CloudKit:
  /// `shouldSendContentAvailable`.
  public var isContentAvailable = false
  /// A key, 64 bytes at most. Of the pending notifications with the same key, the broker retains only the
  /// latest. CloudKit: `collapseIDKey`.
  public var collapseKey: String?

  /// Creates content without a text: the notification states only that a record changed.
  public init() {}

  init(_ form: NotificationForm) {
    title = form.title
    body = form.body
    raisesBadge = form.raisesBadge
    sound = form.sound
    category = form.category
    desiredKeys = form.desiredKeys.map(\.text)
    isContentAvailable = form.isContentAvailable
    collapseKey = form.collapseKey
  }

  func form() throws(RecordError) -> NotificationForm {
    var form = NotificationForm()
    form.title = title
    form.body = body
    form.raisesBadge = raisesBadge
    form.sound = sound
    form.category = category
    for key in desiredKeys { form.desiredKeys.append(try FieldKey(checking: key)) }
    form.isContentAvailable = isContentAvailable
    form.collapseKey = collapseKey
    return form
  }
}
