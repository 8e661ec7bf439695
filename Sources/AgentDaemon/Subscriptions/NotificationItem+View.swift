// A notification as JSON: in lists, in the event stream and on the standard input of a command.

import AgentAPI
import DeviceDriver
import DeviceStore
import Records

extension NotificationItem {
  /// Creates the JSON of a notification.
  init(_ view: NotificationView, who: Identity) {
    let content = view.content
    self.init(
      seq: view.sequence, subscription: view.subscription.text, reason: view.reasonWord,
      badge: content.raisesBadge, silent: content.isContentAvailable, time: view.time,
      seen: view.isSeen)
    title = content.title
    alert = content.body
    sound = content.sound
    category = content.category
    collapseKey = content.collapseKey
    switch view.subject {
    case .record(let change): describe(change, who: who)
    case .access(let access): describe(access, as: "AccessRequest")
    case .join(let access): describe(access, as: "Participant")
    case .gain(let zone, let title), .loss(let zone, let title),
      .rejectedDeletion(let zone, let title):
      id = GroupID.text(zone)
      type = LocalEvent.groupType.text
      name = title
      group = GroupID.text(zone)
    case .fold(let count): self.count = count
    }
  }

  private mutating func describe(_ access: NotificationView.Access, as type: String) {
    id = access.account.description
    self.type = type
    name = access.name
    group = GroupID.text(access.zone)
  }

  private mutating func describe(_ change: NotificationView.Change, who: Identity) {
    let origin = change.modified.origin
    id = change.record.publicID.text
    type = change.type.text
    name = change.title
    group = GroupID.text(change.record.zone)
    database = "\(change.database)"
    by = AuthorView(account: origin.account, device: origin.device, who: who)
    local = change.isOwn
    changed = change.modified.time
    fields = FieldTexts(
      change.fields.all.map { FieldTexts.Field(key: $0.key.text, text: ValueText.text($0.value)) })
    pruned = change.isPruned
  }
}

extension NotificationView {
  /// The match reason as a word.
  var reasonWord: String {
    switch subject {
    case .record(let change): "\(change.reason)"
    case .fold: "collapsed"
    case .access: "requested"
    case .join: "joined"
    case .gain: "gained"
    case .loss: "lost"
    case .rejectedDeletion: "kept"
    }
  }
}
