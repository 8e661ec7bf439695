// What a subscription says of one change: its texts filled with the record's fields, and the fields
// it wants sent along as far as they fit. Of a record that was deleted or left, those before the
// change: what it is now is either nothing or none of the subscription's business.

import Matching
import Records

extension Firing {
  /// What a subscription of these words says, for `reason`, of a record with these fields before and
  /// after; `nil` where they were erased or never kept.
  package init(_ form: SubscriptionForm, because reason: MatchReason, old: Fields?, new: Fields?) {
    let kept = reason.isAboutTheStateBefore ? old : new
    let fields = kept ?? Fields()
    var content = form.notification
    content.title = Self.filled(form.notification.title, with: fields)
    content.body = Self.filled(form.notification.body, with: fields)
    content.desiredKeys = []
    let (fitting, isPruned) = Self.fitting(form.notification.desiredKeys, of: fields)
    let isErased = kept == nil && !form.notification.desiredKeys.isEmpty
    self.init(
      subscription: form.id, reason: reason, content: content, fields: EncodedRecord(fitting),
      isPruned: isPruned || isErased)
  }

  /// About what it takes in a frame.
  package var weight: Int {
    128 + fields.bytes.count + (content.title?.utf8.count ?? 0)
      + (content.body?.utf8.count ?? 0)
  }

  /// The same without the fields that were wanted, and with the beginnings of its texts: what still
  /// fits where many speak of one change.
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
    // NB: it was read when it was saved; a later version's is shown as it is written.
    return (try? NotificationTemplate(source))?.filled(with: fields) ?? source
  }

  /// The fields of these keys, in the order of wishes, as long as they fit.
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
  /// Whether it is told with the record as it was before the change.
  package var isAboutTheStateBefore: Bool {
    switch self {
    case .left, .deleted: true
    case .created, .updated, .entered: false
    }
  }
}
