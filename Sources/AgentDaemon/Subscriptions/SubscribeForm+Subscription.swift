// What a request for a subscription means, and the checks that the store does not make.

import AgentAPI
import Contacts
import DeviceStore
import Records

extension SubscribeForm {
  /// Returns the request as a subscription.
  /// - Parameters:
  ///   - zone: The group in the request.
  ///   - id: Generates the id if the request does not contain one.
  /// - Throws: `invalidArguments`, with the request's key as the field.
  func subscription(
    in zone: ZoneID?, id generated: @autoclosure () -> String
  ) throws -> SubscriptionForm {
    let named = try database.map(Self.scope)
    let scope: DatabaseScope? = zone.map { $0.owner == .current ? .private : .shared }
    if let scope, let named, scope != named {
      throw RecordsError.invalid("The group is not in that database.", field: "database")
    }
    return SubscriptionForm(
      id: try SubscriptionID(id ?? generated()), database: scope ?? named ?? .private,
      kind: try kind(zone, named),
      options: try on.map(Self.options) ?? [.creation, .update, .deletion],
      firesOnce: once ?? false, includesOwnChanges: echo ?? false, notification: try content)
  }

  private var content: NotificationForm {
    get throws {
      let isSilent = silent ?? false
      if isSilent, title != nil || alert != nil {
        throw RecordsError.invalid(
          "A silent subscription cannot have a title or an alert.", field: "silent")
      }
      var content = NotificationForm()
      content.title = title
      content.body = alert
      content.raisesBadge = badge ?? false
      content.isContentAvailable = isSilent
      content.sound = sound
      content.category = category
      content.collapseKey = collapseKey
      content.desiredKeys = try (keys ?? []).map { try FieldKey($0) }
      return content
    }
  }

  private func kind(
    _ zone: ZoneID?, _ database: DatabaseScope?
  ) throws -> SubscriptionForm.Kind {
    let type = try type.map(Self.recordType)
    guard let predicate else {
      // The public database has no feed, but a subscription can cover all records of a type.
      if database == .public, zone == nil, let type {
        return .query(type: type, predicate: PredicateText("TRUEPREDICATE"), zone: nil)
      }
      return zone.map { .zone($0, type: type) } ?? .database(type: type)
    }
    guard let type else {
      throw RecordsError.invalid(
        "A predicate needs a record type.", field: "type")
    }
    let values = (arguments ?? []).map(\.value)
    return .query(type: type, predicate: PredicateText(predicate, arguments: values), zone: zone)
  }

  private static func scope(_ word: String) throws -> DatabaseScope {
    guard let scope = DatabaseScope.allCases.first(where: { "\($0)" == word }) else {
      throw RecordsError.invalid("database must be private, shared or public.", field: "database")
    }
    return scope
  }

  private static func options(_ words: [String]) throws -> FiringOptions {
    var options: FiringOptions = []
    for word in words {
      guard let option = FiringOptions.words.first(where: { $0.word == word }) else {
        let all = FiringOptions.words.map(\.word).joined(separator: ", ")
        throw RecordsError.invalid("on can only contain: \(all).", field: "on")
      }
      options.insert(option.option)
    }
    return options
  }

  /// A type that differs from one of this application by case only would never match.
  private static func recordType(_ text: String) throws -> RecordType {
    let known = ContactRecord.type
    if text != known.text, text.lowercased() == known.text.lowercased() {
      throw RecordsError(
        .invalidArguments, "There are no records of type “\(text)”.",
        hint: "Did you mean “\(known.text)”?", field: "type")
    }
    return try RecordType(text)
  }
}

extension FiringOptions {
  /// The options and their names.
  static let words: [(option: FiringOptions, word: String)] = [
    (.creation, "created"), (.update, "updated"), (.deletion, "deleted"),
  ]
}
