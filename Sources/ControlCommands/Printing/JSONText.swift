// JSON that contactsctl writes itself, if one response of the agent is not the whole result.

import AgentAPI
import Foundation
import Records

/// Writes and joins JSON.
enum JSONText {
  /// Encodes `value` as JSON, with control characters escaped.
  static func encoded(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      return escapingControls(Array(try encoder.encode(value)))
    } catch {
      throw .error(.internalError, "The result could not be written: \(error).")
    }
  }

  /// Returns `json` with DEL and the control characters U+0080…U+009F in its texts written as `\u009b`.
  static func escapingControls(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 == 0xC2 || $0 == 0x7F }) else { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count + 16)
    for byte in json {
      switch byte {
      case 0x7F: escaped += Array("\\u007f".utf8)
      case 0x80...0x9F where escaped.last == 0xC2:
        escaped.removeLast()
        escaped += Array(("\\u00" + String(byte, radix: 16)).utf8)
      default: escaped.append(byte)
      }
    }
    return escaped
  }

  /// Joins objects into one object with a list of them.
  static func list(_ name: String, of objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("{\"schema\":1,\"\(name)\":[".utf8)
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += object
    }
    return bytes + Array("]}".utf8)
  }

  /// Joins several pages of one list into a single object.
  static func joined(_ pages: [[UInt8]], list: String) throws(ControlFailure) -> [UInt8] {
    var joined = JoinedJSON(list: list)
    for page in pages { try joined.add(page) }
    return Array(joined.parts.joined())
  }
}
