// JSON that contactsctl writes itself, if one response of the agent is not the whole result.

import AgentAPI
import Foundation
import Records

/// Writes and joins JSON.
enum JSONText {
  /// Encodes `value` as JSON.
  static func encoded(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      return Array(try encoder.encode(value))
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

  /// Joins several pages of one list into a single object. Other members are those of the first page, without
  /// its cursor. The items are copied without parsing.
  static func joined(_ pages: [[UInt8]], list: String) throws(ControlFailure) -> [UInt8] {
    if pages.isEmpty { return self.list(list, of: []) }
    if pages.count == 1 { return pages[0] }
    var items: [ArraySlice<UInt8>] = []
    var whole: [UInt8] = []
    do {
      for (index, page) in pages.enumerated() {
        var scanner = JSONScanner(page)
        try scanner.object { scanner, key in
          let value = try scanner.raw()
          if key == list {
            let inside = value.dropFirst().dropLast()
            if inside.contains(where: { $0 > 0x20 }) { items.append(inside) }
          } else if index == 0, key != ContactsView.nextKey {
            whole += Array("\"\(key)\":".utf8) + value + [UInt8(ascii: ",")]
          }
        }
      }
    } catch {
      throw .error(.incompatibleVersion, "contactsctl cannot read the answer of contactsd.")
    }
    let joined = items.joined(separator: [UInt8(ascii: ",")])
    return Array("{".utf8) + whole + Array("\"\(list)\":[".utf8) + joined + Array("]}".utf8)
  }
}
