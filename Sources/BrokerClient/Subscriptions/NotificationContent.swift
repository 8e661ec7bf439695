// What a subscription says when it is told.

import Records

/// What notifications say. CloudKit: `CKSubscription.NotificationInfo`.
public struct NotificationContent: Hashable, Sendable {
  /// The heading, with fields' names in braces: `"{firstName} has moved"`; 1 KiB at most.
  public var title: String?
  /// The text, likewise. Without title and body nobody is disturbed. CloudKit: `alertBody`.
  public var body: String?
  /// Whether the number of unseen notifications is raised. CloudKit: `shouldBadge`.
  public var raisesBadge = false
  /// The sound's name. CloudKit: `soundName`.
  public var sound: String?
  /// The kind of notification, by which a program chooses what can be done with it.
  public var category: String?
  /// The fields sent along, 16 KiB in all; what does not fit is `isPruned`.
  public var desiredKeys: [String] = []
  /// Whether programs are woken without a person seeing anything. CloudKit:
  /// `shouldSendContentAvailable`.
  public var isContentAvailable = false
  /// Of those that wait for a device only the latest with the same key is kept; 64 bytes at most.
  /// CloudKit: `collapseIDKey`.
  public var collapseKey: String?

  /// Nothing but the fact.
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
