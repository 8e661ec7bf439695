// A workload is a folder with `predicates.ndjson` ({"id", "recordType", "predicate"}) and `events.ndjson`
// (one flat record a line: texts, numbers, booleans). It is read before the measurement.

import Foundation
import Measuring
import Records

/// The subscriptions and the created records of a measurement.
struct Workload {
  /// A subscription with its predicate as text.
  struct CompiledSubscription {
    let type: RecordType
    let text: String
  }

  let subscriptions: [CompiledSubscription]
  let events: [Fields]
  /// The type of all records: the first subscription's type.
  let type: RecordType

  /// Reads a workload from `folder`.
  init(folder: String) throws {
    subscriptions = try Self.lines(of: folder + "/predicates.ndjson").map { object in
      guard let text = object["predicate"] as? String else {
        throw BenchFailure("A line of predicates.ndjson has no predicate.")
      }
      return CompiledSubscription(
        type: try RecordType(object["recordType"] as? String ?? "Record"), text: text)
    }
    events = try Self.lines(of: folder + "/events.ndjson").map(Self.fields)
    type = subscriptions.first?.type ?? RecordType(stored: "Record")
  }

  /// Creates a workload from predicate texts and record fields, with the record type “Record”.
  init(_ texts: [String], _ events: [Fields]) {
    type = RecordType(stored: "Record")
    let type = type
    subscriptions = texts.map { CompiledSubscription(type: type, text: $0) }
    self.events = events
  }

  private static func lines(of path: String) throws -> [[String: Any]] {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw BenchFailure("The file \(path) does not exist or cannot be read.")
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
      default: throw BenchFailure("A field of an event is neither a text nor a number.")
      }
    }
    return fields
  }
}
