// JSON that contactsctl makes itself, where one answer of the agent is not the whole result.

import Foundation
import Records

/// Writes and joins JSON.
enum JSONText {
  /// `value` as JSON.
  static func encoded(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      return Array(try encoder.encode(value))
    } catch {
      throw .error(.internalError, "The result could not be written: \(error).")
    }
  }

  /// Whole objects as one with a list of them.
  static func list(_ name: String, of objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("{\"schema\":1,\"\(name)\":[".utf8)
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += object
    }
    return bytes + Array("]}".utf8)
  }

  /// Several pages of one list as a single object; what stands beside the list is the first
  /// page's, without its cursor.
  static func joined(
    _ pages: [[UInt8]], list: String
  ) throws(ControlFailure) -> [UInt8] {
    var whole: [String: Any] = [:]
    var items: [Any] = []
    do {
      for page in pages {
        let object = try JSONSerialization.jsonObject(with: Data(page)) as? [String: Any] ?? [:]
        if whole.isEmpty { whole = object }
        items += object[list] as? [Any] ?? []
      }
      whole["next"] = nil
      whole[list] = items
      return Array(
        try JSONSerialization.data(
          withJSONObject: whole, options: .withoutEscapingSlashes))
    } catch {
      throw .error(.incompatibleVersion, "The agent's answer has an unexpected form.")
    }
  }
}
