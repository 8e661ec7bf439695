// A subscription in the agent's JSON. Sending the same JSON back saves the same subscription. Keys are never
// removed or renamed, because scripts rely on them.

import DeviceDriver
import DeviceStore
import Records

extension JSONWriter {
  /// Writes a subscription of a list or, with `isWhole`, a single one with `schema` first.
  mutating func subscription(_ view: SubscriptionView, who: Identity, isWhole: Bool = false) {
    let form = view.form
    object { json in
      if isWhole { json.schema() }
      json.key("id")
      json.value(form.id.text)
      json.subject(of: form)
      json.key("on")
      json.list(FiringOptions.words.filter { form.options.contains($0.option) }) {
        $0.value($1.word)
      }
      json.key("once")
      json.value(form.firesOnce)
      json.key("thisDevice")
      json.value(view.isForThisDevice)
      json.key("device")
      json.value(
        view.isForThisDevice ? who.deviceName : form.device.map { who.name(of: $0) })
      json.key("echo")
      json.value(form.includesOwnChanges)
      json.content(of: form.notification)
      json.key("keys")
      json.list(form.notification.desiredKeys) { $0.value($1.text) }
      json.key("run")
      json.value(view.command)
      json.standing(of: view)
    }
  }

  private mutating func subject(of form: SubscriptionForm) {
    let (type, predicate): (RecordType?, PredicateText?) =
      switch form.kind {
      case .query(let type, let predicate, _): (type, predicate)
      case .zone(_, let type), .database(let type): (type, nil)
      }
    key("type")
    value(type?.text)
    key("where")
    value(predicate?.text)
    key("arguments")
    list(predicate?.arguments ?? []) { $0.scalar($1) }
    key("group")
    value(form.zone.map { GroupID.text($0) })
    key("database")
    value("\(form.database)")
  }

  private mutating func scalar(_ value: Value) {
    switch value {
    case .boolean(let flag): self.value(flag)
    case .int64(let number): self.value(number)
    case .double(let number) where number.isFinite: self.value(number: number)
    default: self.value(ValueText.text(value))
    }
  }

  /// Writes the content and the options of its notifications.
  mutating func content(of notification: NotificationForm) {
    key("title")
    value(notification.title)
    key("alert")
    value(notification.body)
    key("badge")
    value(notification.raisesBadge)
    key("silent")
    value(notification.isContentAvailable)
    key("sound")
    value(notification.sound)
    key("category")
    value(notification.category)
    key("collapseKey")
    value(notification.collapseKey)
  }

  private mutating func standing(of view: SubscriptionView) {
    key("state")
    value(view.state.rawValue)
    key("error")
    guard let error = view.error else { return null() }
    object { json in
      json.key("code")
      json.value(error.code.rawValue)
      json.key("message")
      json.value(error.message)
      json.key("hint")
      json.value(error.hint)
      json.key("field")
      json.value(error.field.map { SubscriptionRoutes.key(of: $0) })
      json.key("column")
      json.value(error.column.map { Int64($0) })
    }
  }
}
