// Parses a subscription form. The device and the broker both use this, so that they accept the same forms
// and report the same errors.

import Predicates
import Records

extension CompiledSubscription {
  /// Parses and validates a form.
  /// - Throws: `invalidArguments` or `limitExceeded` with the invalid field (`predicate`, `title`,
  ///   `body`, …) and, in a predicate or template, the column.
  package init(_ form: SubscriptionForm) throws(RecordsError) {
    let kind: Kind =
      switch form.kind {
      case .query(let type, let text, let zone):
        .query(
          type: type,
          predicate: try Self.naming("predicate") { () throws(RecordsError) in
            try Predicate(text.text, arguments: text.arguments)
          }, zone: zone)
      case .zone(let zone, let type): .zone(zone, type: type)
      case .database(let type): .database(type: type)
      }
    try self.init(
      id: form.id, owner: form.device.map { .device($0) } ?? .account, database: form.database,
      kind: kind, options: form.options, firesOnce: form.firesOnce,
      includesOwnChanges: form.includesOwnChanges,
      notification: try NotificationTemplates(form.notification))
  }

  fileprivate static func naming<Result>(
    _ field: String, _ body: () throws(RecordsError) -> Result
  ) throws(RecordsError) -> Result {
    do throws(RecordsError) {
      return try body()
    } catch {
      var error = error
      error.field = error.field ?? field
      throw error
    }
  }
}

extension NotificationTemplates {
  fileprivate init(_ form: NotificationForm) throws(RecordsError) {
    self.init()
    title = try Self.template(form.title, "title")
    body = try Self.template(form.body, "body")
    raisesBadge = form.raisesBadge
    sound = form.sound
    category = form.category
    desiredKeys = form.desiredKeys
    isContentAvailable = form.isContentAvailable
    collapseKey = form.collapseKey
  }

  private static func template(
    _ text: String?, _ field: String
  ) throws(RecordsError) -> NotificationTemplate? {
    guard let text else { return nil }
    return try CompiledSubscription.naming(field) { () throws(RecordsError) in
      try NotificationTemplate(text)
    }
  }
}
