import Records

/// The content of a subscription's notifications. CloudKit: `CKSubscription.NotificationInfo`.
public struct NotificationContent: Hashable, Sendable {
  /// The title, 1 KiB at most. The broker replaces field keys in braces with the record's values:
  /// `"{firstName} has moved"`.
  public var title: String?
  /// The text, 1 KiB at most, with field keys in braces as in `title`. Without a title and a body the user is
  /// not alerted. CloudKit: `alertBody`.
  public var body: String?
  /// Whether the notification increments the badge of unseen notifications. CloudKit: `shouldBadge`.
  public var raisesBadge = false
  /// The name of the sound. CloudKit: `soundName`.
  public var sound: String?
  /// A category, from which a program derives the actions it offers.
  public var category: String?
  /// The keys of the fields to include in a notification, at most 64. `Firing.isPruned` is true if their
  /// values have more than 16 KiB together, and some were omitted.
  public var desiredKeys: [String] = []
  /// A mark for programs that handle the notification without alerting the user. The broker passes it on.
  /// CloudKit: `shouldSendContentAvailable`.
  public var isContentAvailable = false
  /// A key, 64 bytes at most. Of a device's pending notifications with the same subscription and key, the
  /// broker delivers only the latest. CloudKit: `collapseIDKey`.
  public var collapseKey: String?

  /// Creates content without texts and fields. A notification then contains only the record's id and type.
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

  func form() throws(RecordsError) -> NotificationForm {
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
