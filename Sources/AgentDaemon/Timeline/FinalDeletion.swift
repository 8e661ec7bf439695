// The deletion of a post or a comment, which cannot be undone, because the broker deletes the comments of other accounts
// with a post. The device remembers the last one, so that an undo right after it does not undo an older action by
// surprise.

import DeviceStore
import Records

/// The last deletion of a post or a comment on this device.
struct FinalDeletion: Hashable, Sendable {
  private static let key = "timelineDeletion"

  /// `post` or `comment`.
  let noun: String
  /// The number of the last action before it; `nil` for none.
  let after: Int64?

  /// Creates a deletion after the action `after`.
  init(noun: String, after: Int64?) {
    self.noun = noun
    self.after = after
  }

  /// Reads the last one; `nil` if there was none.
  init?(in reader: DeviceReader) throws {
    let parts = try reader.setting(Self.key)?.split(separator: " ") ?? []
    guard parts.count == 2 else { return nil }
    self.init(noun: String(parts[0]), after: Int64(parts[1]))
  }

  /// The setting that remembers it in place of the one before.
  var setting: ChosenSetting { ChosenSetting(Self.key, value: "\(noun) \(after ?? 0)") }

  private static func hint(_ former: ActionView) -> String {
    let name = former.title.isEmpty ? "" : ", of “\(former.title)”"
    return "To undo the change before it\(name): contactsctl undo \(former.id)"
  }

  /// Rejects an undo without a number, if nothing was done on this device since the deletion.
  /// - Throws: `constraintViolation`, with the number of the action that the user can undo instead, if there is one.
  static func check(in reader: DeviceReader) throws {
    guard let last = try FinalDeletion(in: reader), try last.after ?? 0 == reader.lastAction() ?? 0
    else { return }
    let former = try reader.actions(limit: 1_000).first { $0.undoneBy == nil && $0.undoes == nil }
    throw RecordsError(
      .constraintViolation,
      "The last change was the deletion of a \(last.noun), which cannot be undone.",
      hint: former.map(Self.hint) ?? "", reason: "finalDeletion")
  }
}
