import Matching
import Records

extension Firing {
  /// Creates what a subscription reports about one change: its texts, filled with the record's fields, and
  /// the desired fields as far as they fit.
  ///
  /// If the record was deleted or no longer matches, the fields before the change are used: the subscription
  /// must not report a state that it does not match. `old` and `new` are `nil` if the fields were erased or
  /// never stored.
  package init(_ form: SubscriptionForm, because reason: MatchReason, old: Fields?, new: Fields?) {
    let stored = reason.reportsOldState ? old : new
    let fields = stored ?? Fields()
    var content = form.notification
    content.title = Self.filled(form.notification.title, with: fields)
    content.body = Self.filled(form.notification.body, with: fields)
    content.desiredKeys = []
    let (fitting, isPruned) = Self.fitting(form.notification.desiredKeys, of: fields)
    let isErased = stored == nil && !form.notification.desiredKeys.isEmpty
    self.init(
      subscription: form.id, reason: reason, content: content, fields: EncodedRecord(fitting),
      isPruned: isPruned || isErased)
  }

  /// The approximate number of bytes in a frame.
  package var weight: Int {
    128 + fields.bytes.count + (content.title?.utf8.count ?? 0)
      + (content.body?.utf8.count ?? 0)
  }

  /// A shorter version for a change that many subscriptions report: without the desired fields, and with each
  /// text cut to 256 bytes.
  package var abridged: Firing {
    var content = content
    content.title = content.title?.cut(toBytes: 256)
    content.body = content.body?.cut(toBytes: 256)
    return Firing(
      subscription: subscription, reason: reason, content: content, fields: .empty,
      isPruned: true)
  }

  private static func filled(_ source: String?, with fields: Fields) -> String? {
    guard let source else { return nil }
    // NB: templates are validated on save. A newer broker may have stored one that this version cannot parse;
    // it is shown unfilled.
    return (try? NotificationTemplate(source))?.filled(with: fields) ?? source
  }

  /// Returns the fields of these keys that fit in `NotificationLimits.desiredBytes`, and whether any was left
  /// out. Earlier keys have priority.
  private static func fitting(_ keys: [FieldKey], of fields: Fields) -> (Fields, isPruned: Bool) {
    var fitting = Fields()
    var byteCount = 0
    var isPruned = false
    for key in keys {
      guard fitting[key] == nil, let value = fields[key] else { continue }
      let size = EncodedRecord([key: value]).bytes.count
      guard byteCount + size <= NotificationLimits.desiredBytes else {
        isPruned = true
        continue
      }
      byteCount += size
      fitting[key] = value
    }
    return (fitting, isPruned)
  }
}

extension MatchReason {
  /// Whether the report contains the record's fields from before the change.
  package var reportsOldState: Bool {
    switch self {
    case .left, .deleted: true
    case .created, .updated, .entered: false
    }
  }
}
