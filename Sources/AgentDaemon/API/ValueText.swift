// The value of a field as people read it, in conflicts and histories: in one line, without technical details.

import ByteCounts
import Records

enum ValueText {
  /// Returns the value as text.
  static func text(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let time): time.description
    case .bytes(let bytes): "\(ByteCount(bytes.count))"
    case .location(let place): "\(place.latitudeDegrees), \(place.longitudeDegrees)"
    case .reference(let reference): reference.record.text
    case .asset(let asset): "a file of \(ByteCount(asset.byteCount))"
    case .list(let values): values.map(text).joined(separator: ", ")
    case .entries(let entries):
      entries.map { $0.fields.all.map { text($0.value) }.joined(separator: " ") }
        .joined(separator: ", ")
    case .unknown: "a value from a newer version"
    }
  }
}
