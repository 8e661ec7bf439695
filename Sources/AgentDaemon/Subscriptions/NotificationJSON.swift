// A notification in the agent's JSON: in lists, in the event stream and on the standard input of a command.
// Keys are never removed or renamed, because scripts rely on them.

import DeviceDriver
import DeviceStore
import Records

extension JSONWriter {
  /// Writes a notification of a list or, with `isWhole`, a single one with `schema` first.
  mutating func notification(_ view: NotificationView, who: Identity, isWhole: Bool = false) {
    object { json in
      if isWhole { json.schema() }
      json.key("seq")
      json.value(view.sequence)
      json.key("subscription")
      json.value(view.subscription.text)
      json.key("reason")
      json.value(view.reasonWord)
      switch view.subject {
      case .record(let change): json.properties(of: change, who: who)
      case .access(let access): json.properties(of: access)
      case .fold(let count):
        json.key("id")
        json.null()
        json.key("count")
        json.value(count)
      }
      json.content(of: view.content)
      json.key("time")
      json.value(view.time)
      json.key("seen")
      json.value(view.isSeen)
    }
  }

  private mutating func properties(of access: NotificationView.Access) {
    key("id")
    value(access.account.description)
    key("count")
    value(Int64(1))
    key("type")
    value("AccessRequest")
    key("name")
    value(access.name)
    key("group")
    value(GroupID.text(access.zone))
  }

  private mutating func properties(of change: NotificationView.Change, who: Identity) {
    key("id")
    value(change.record.publicID.text)
    key("count")
    value(Int64(1))
    key("type")
    value(change.type.text)
    key("name")
    value(change.title)
    key("group")
    value(GroupID.text(change.record.zone))
    key("database")
    value("\(change.database)")
    key("by")
    author(
      account: change.modified.origin.account, device: change.modified.origin.device, who: who)
    key("local")
    value(change.isOwn)
    key("changed")
    value(change.modified.time)
    key("fields")
    object { json in
      for field in change.fields.all {
        // A field's key has letters, digits and underscores only.
        json.key(named: field.key.text)
        json.value(ValueText.text(field.value))
      }
    }
    key("pruned")
    value(change.isPruned)
  }
}

extension NotificationView {
  /// The match reason as a word.
  var reasonWord: String {
    switch subject {
    case .record(let change): "\(change.reason)"
    case .fold: "collapsed"
    case .access: "requested"
    }
  }
}
