import AgentAPI
import DeviceDriver
import DeviceStore
import Records

extension SubscriptionItem {
  /// Creates the JSON of a subscription.
  init(_ view: SubscriptionView, who: Identity) {
    let form = view.form
    let content = form.notification
    let (type, predicate): (RecordType?, PredicateText?) =
      switch form.kind {
      case .query(let type, let predicate, _): (type, predicate)
      case .zone(_, let type), .database(let type): (type, nil)
      }
    self.init(
      id: form.id.text, type: type?.text, predicate: predicate?.text,
      arguments: predicate?.arguments.map { ScalarItem($0) } ?? [],
      group: form.zone.map { GroupID.text($0) }, database: "\(form.database)",
      on: FiringOptions.words.filter { form.options.contains($0.option) }.map(\.word),
      once: form.firesOnce, thisDevice: view.isForThisDevice,
      device: view.isForThisDevice
        ? who.deviceName : form.device.map { who.displayName(ofDevice: $0) },
      echo: form.includesOwnChanges, title: content.title, alert: content.body,
      badge: content.raisesBadge, silent: content.isContentAvailable, sound: content.sound,
      category: content.category, collapseKey: content.collapseKey,
      keys: content.desiredKeys.map(\.text), command: view.command, state: view.state.rawValue,
      error: view.error.map { SubscriptionError($0) })
  }
}

extension SubscriptionError {
  init(_ error: RecordsError) {
    self.init(
      code: error.code.rawValue, message: error.message, hint: error.hint,
      field: error.field.map { SubscriptionRoutes.key(of: $0) }, column: error.column)
  }
}

extension ScalarItem {
  /// Creates the JSON of a value; a text as people read it, if JSON has no such value.
  init(_ value: Value) {
    self =
      switch value {
      case .boolean(let flag): .flag(flag)
      case .int64(let number): .whole(number)
      case .double(let number) where number.isFinite: .number(number)
      default: .text(ValueText.text(value))
      }
  }

  /// The value.
  var value: Value {
    switch self {
    case .flag(let flag): .boolean(flag)
    case .whole(let number): .int64(number)
    case .number(let number): .double(number)
    case .text(let text): .string(text)
    }
  }
}
