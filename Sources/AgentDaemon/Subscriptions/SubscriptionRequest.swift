// A subscription in a request. Unknown keys are rejected, so that a mistyped one does not appear to be saved.
// Read-only keys (state, error) are accepted and ignored, so that an answer can be sent back.

import Contacts
import DeviceStore
import Foundation
import Records

/// The body of `POST` on subscriptions.
struct SubscriptionRequest: Decodable, Sendable {
  private(set) var id: String?
  private(set) var type: String?
  private(set) var predicate: String?
  private(set) var arguments: [Value] = []
  private(set) var group: String?
  private(set) var database: DatabaseScope?
  private(set) var options: FiringOptions?
  private(set) var isOnce = false
  private(set) var isForThisDevice = false
  private(set) var isEcho = false
  private(set) var notification = NotificationForm()
  private(set) var command: String?

  private static let told: Set = ["schema", "device", "state", "error"]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    for key in container.allKeys where !Self.told.contains(key.stringValue) {
      guard try readSubject(key, in: container) || readMarks(key, in: container) else {
        let shown = key.stringValue.prefix(40)
        throw RecordsError.invalid(
          "A subscription has no property “\(shown)”.", field: String(shown))
      }
    }
    if notification.isContentAvailable, notification.title != nil || notification.body != nil {
      throw RecordsError.invalid(
        "A silent subscription cannot have a title or an alert.", field: "silent")
    }
  }

  private mutating func readSubject(
    _ key: JSONKey, in container: KeyedDecodingContainer<JSONKey>
  ) throws -> Bool {
    switch key.stringValue {
    case "id": id = try container.decodeIfPresent(String.self, forKey: key)
    case "type": type = try container.decodeIfPresent(String.self, forKey: key)
    case "where": predicate = try container.decodeIfPresent(String.self, forKey: key)
    case "arguments":
      arguments = try container.decodeIfPresent([ScalarForm].self, forKey: key)?.map(\.value) ?? []
    case "group": group = try container.decodeIfPresent(String.self, forKey: key)
    case "database":
      let word = try container.decodeIfPresent(String.self, forKey: key)
      database = try word.map(Self.database)
    case "on":
      let words = try container.decodeIfPresent([String].self, forKey: key)
      options = try words.map(Self.options)
    case "once": isOnce = try Self.flag(key, container)
    case "thisDevice": isForThisDevice = try Self.flag(key, container)
    case "echo": isEcho = try Self.flag(key, container)
    case "run": command = try container.decodeIfPresent(String.self, forKey: key)
    default: return false
    }
    return true
  }

  private mutating func readMarks(
    _ key: JSONKey, in container: KeyedDecodingContainer<JSONKey>
  ) throws -> Bool {
    switch key.stringValue {
    case "title": notification.title = try container.decodeIfPresent(String.self, forKey: key)
    case "alert": notification.body = try container.decodeIfPresent(String.self, forKey: key)
    case "badge": notification.raisesBadge = try Self.flag(key, container)
    case "silent": notification.isContentAvailable = try Self.flag(key, container)
    case "sound": notification.sound = try container.decodeIfPresent(String.self, forKey: key)
    case "category":
      notification.category = try container.decodeIfPresent(String.self, forKey: key)
    case "collapseKey":
      notification.collapseKey = try container.decodeIfPresent(String.self, forKey: key)
    case "keys":
      let names = try container.decodeIfPresent([String].self, forKey: key) ?? []
      notification.desiredKeys = try names.map { try FieldKey($0) }
    default: return false
    }
    return true
  }

  private static func flag(
    _ key: JSONKey, _ container: KeyedDecodingContainer<JSONKey>
  ) throws -> Bool {
    try container.decodeIfPresent(Bool.self, forKey: key) ?? false
  }

  private static func database(_ word: String) throws -> DatabaseScope {
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

  /// Returns the request as a subscription.
  /// - Parameters:
  ///   - zone: The group in the request.
  ///   - id: Generates the id if the request does not contain one.
  func form(in zone: ZoneID?, id generated: @autoclosure () -> String) throws -> SubscriptionForm {
    let scope: DatabaseScope? = zone.map { $0.owner == .current ? .private : .shared }
    if let scope, let database, scope != database {
      throw RecordsError.invalid("The group is not in that database.", field: "database")
    }
    return SubscriptionForm(
      id: try SubscriptionID(id ?? generated()), database: scope ?? database ?? .private,
      kind: try kind(zone), options: options ?? [.creation, .update, .deletion],
      firesOnce: isOnce, includesOwnChanges: isEcho, notification: notification)
  }

  private func kind(_ zone: ZoneID?) throws -> SubscriptionForm.Kind {
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
    return .query(
      type: type, predicate: PredicateText(predicate, arguments: arguments), zone: zone)
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

/// A value that replaces a `%@`.
private struct ScalarForm: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      value = .boolean(flag)
    } else if let number = try? container.decode(Int64.self) {
      value = .int64(number)
    } else if let number = try? container.decode(Double.self) {
      value = .double(number)
    } else {
      value = .string(try container.decode(String.self))
    }
  }
}

extension FiringOptions {
  /// The options and their names.
  static let words: [(option: FiringOptions, word: String)] = [
    (.creation, "created"), (.update, "updated"), (.deletion, "deleted"),
  ]
}
