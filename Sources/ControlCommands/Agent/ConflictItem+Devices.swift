// A conflict in terms of the devices on which its two values were set. Some conflicts do not name both devices:
// one that was found with a record that the broker no longer has, and one that another program wrote.

import AgentAPI
import Records

extension ConflictItem {
  /// One of the two edits, with the word that names it in requests.
  enum Edit: String, CaseIterable, Sendable { case mine, theirs }

  /// Both values by device, and the device whose value the contact shows. Each value is truncated to
  /// `valueColumnsMax` columns.
  func sentence(valueColumnsMax: Int = .max) -> String {
    let values = Edit.allCases.map { edit in
      let text = TextWidth.cut(PlainText.clean(valueInWords(of: edit)), to: valueColumnsMax)
      return "\(label(of: edit)): \(text)"
    }
    let kept: Edit = shown == "mine" ? .mine : .theirs
    return "\(values.joined(separator: " · ")) – kept: \(label(of: kept))"
  }

  /// The number of lines in a list that a long value may take; `conflicts show` shows all of it.
  private static let valueLinesMax = 4

  /// Returns two or more lines for a terminal of this width: the contact, the field and the short id, and the
  /// sentence.
  func lines(columns: Int, shortID: String) -> [String] {
    let subject = [name, fieldInWords].filter { !$0.isEmpty }.joined(separator: ", ")
    let values = TextWidth.lines(
      of: PlainText.clean(sentence(valueColumnsMax: Self.valueLinesMax * columns)), after: "  ",
      limit: columns)
    let id = PlainText.clean(shortID)
    let room = max(20, columns - TextWidth.columns(of: id) - 2)
    let heading = "\(TextWidth.cut(PlainText.clean(subject), to: room))  \(id)"
    return [heading] + values
  }

  /// The noun of the field, `phone` for `phones/ENTRY/value`, with the part of an entry that is not its value.
  var fieldInWords: String {
    let parts = field.split(separator: "/").map(String.init)
    guard let list = parts.first else { return "" }
    let part = parts.count > 2 && parts[2] != "value" ? parts[2] : ""
    return [ContactDetail.noun(ofField: list), part].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The account and the device of each edit; `nil` if a device is not known.
  var authors: String? {
    guard deviceNames.count == 2 else { return nil }
    return [mineBy, theirsBy].map { "\($0.shown) on \($0.shownDevice)" }.joined(separator: " · ")
  }

  /// The known names of the two devices, that of `mine` first.
  var deviceNames: [String] { Edit.allCases.compactMap(deviceName) }

  /// Returns what to keep, in the word of the agent, for the name of one of the two devices or for `both`. A name in
  /// other case is accepted if it names one device.
  func choice(for name: String) throws(ControlFailure) -> String {
    let edits = edits(onDeviceNamed: name)
    guard edits.count < 2 else {
      throw .error(
        .invalidArguments, "“\(name)” names both devices of this conflict.",
        hint: "Use --mine or --theirs.")
    }
    guard name != "both" else {
      guard edits.isEmpty else {
        throw .error(
          .invalidArguments, "“both” is also the name of a device of this conflict.",
          hint: "Use --mine, --theirs or --both.")
      }
      return "both"
    }
    guard let edit = edits.first else { throw unknownDevice(name) }
    return edit.rawValue
  }

  private func unknownDevice(_ name: String) -> ControlFailure {
    let names = deviceNames
    let message =
      switch names.count {
      case 2:
        "“\(name)” is neither of the two devices of this conflict, “\(names[0])” and “\(names[1])”."
      case 1: "“\(name)” is not “\(names[0])”, the only known device of this conflict."
      default: "The devices of this conflict are not known."
      }
    let isDistinct = names.count == 2 && names[0] != names[1]
    return .error(
      .invalidArguments, message,
      hint: isDistinct
        ? "Name one of the two, or use --mine, --theirs or --both." : "Use --mine or --theirs.")
  }

  private func edits(onDeviceNamed name: String) -> [Edit] {
    let exact = Edit.allCases.filter { deviceName($0) == name }
    guard exact.isEmpty else { return exact }
    return Edit.allCases.filter { deviceName($0)?.lowercased() == name.lowercased() }
  }

  private func deviceName(_ edit: Edit) -> String? {
    let device = (edit == .mine ? mineBy : theirsBy).shownDevice
    return device.isEmpty ? nil : device
  }

  /// The device's name; with the word of the edit if both devices have the same name, or the word alone if the
  /// device is not known.
  private func label(of edit: Edit) -> String {
    guard let device = deviceName(edit) else { return edit.rawValue }
    let names = deviceNames
    return names.count == 2 && names[0] == names[1] ? "\(device) (\(edit.rawValue))" : device
  }

  /// The value; for a removed value, as for a deleted contact, “deleted”.
  private func valueInWords(of edit: Edit) -> String {
    let value = edit == .mine ? mine : theirs
    return value.isEmpty ? "deleted" : value
  }
}
