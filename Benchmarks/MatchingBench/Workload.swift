// A folder of `predicates.ndjson` ({"id", "recordType", "predicate"}) and `events.ndjson` (one flat
// record a line: texts, numbers, booleans), read before anything is measured.

import Foundation
import Measuring
import Records

/// Subscriptions and the records that are made.
struct Workload {
  /// A subscription as text.
  struct Subscription {
    let type: RecordType
    let text: String
  }

  let subscriptions: [Subscription]
  let events: [Fields]
  /// The type of the records: that of the first subscription.
  let type: RecordType

  /// Reads a folder.
  init(folder: String) throws {
    subscriptions = try Self.lines(of: folder + "/predicates.ndjson").map { object in
      guard let text = object["predicate"] as? String else {
        throw BenchFailure("A line of predicates.ndjson has no predicate.")
      }
      return Subscription(
        type: try RecordType(object["recordType"] as? String ?? "Record"), text: text)
    }
    events = try Self.lines(of: folder + "/events.ndjson").map(Self.fields)
    type = subscriptions.first?.type ?? RecordType(stored: "Record")
  }

  /// A workload made in the program.
  init(_ texts: [String], _ events: [Fields]) {
    type = RecordType(stored: "Record")
    let type = type
    subscriptions = texts.map { Subscription(type: type, text: $0) }
    self.events = events
  }

  private static func lines(of path: String) throws -> [[String: Any]] {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw BenchFailure("There is no \(path).")
    }
    return try content.split(separator: UInt8(ascii: "\n")).map { line in
      guard let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
        throw BenchFailure("A line of \(path) is not an object.")
      }
      return object
    }
  }

  private static func fields(of object: [String: Any]) throws -> Fields {
    var fields = Fields()
    for (key, value) in object {
      let key = try FieldKey(key)
      switch value {
      case let text as String: fields[key] = .string(text)
      case let number as NSNumber:
        let isBoolean = String(cString: number.objCType) == "c"
        if isBoolean {
          fields[key] = .boolean(number.boolValue)
        } else if number.doubleValue == number.doubleValue.rounded() {
          fields[key] = .int64(number.int64Value)
        } else {
          fields[key] = .double(number.doubleValue)
        }
      default: throw BenchFailure("A field of an event is neither text nor number.")
      }
    }
    return fields
  }
}
