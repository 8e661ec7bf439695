// The result of an undo in one line, however many contacts it changed.

import AgentAPI

extension UndoView {
  /// What was undone, what was kept and why, and how to do it again.
  var summary: String {
    let kept = keptPhrases.isEmpty ? "" : "; " + keptPhrases.joined(separator: ", ")
    guard let action else {
      let deed = "\(undone.deed) of \(undone.things)"
      return kept.isEmpty
        ? "Nothing is left to undo of the \(deed)." : "The \(deed) was not undone\(kept)."
    }
    let things = setBack.isEmpty ? undone.things : Self.phrase(for: setBack)
    return "Undid the \(undone.deed) of \(things)\(kept). Do it again: contactsctl undo \(action)"
  }

  /// One thing by its name; several by their numbers, and a single group among contacts by its name.
  private static func phrase(for things: [Thing]) -> String {
    let groups = things.filter { $0.type == "group" }
    let contactCount = things.count - groups.count
    if groups.isEmpty, contactCount == 1, !things[0].name.isEmpty { return things[0].name }
    var parts: [String] = []
    if groups.count == 1 {
      parts.append("the group “\(groups[0].name)”")
    } else if groups.count > 1 {
      parts.append(Quantity.text(groups.count, "group"))
    }
    if contactCount > 0 { parts.append(Quantity.text(contactCount, "contact")) }
    return parts.joined(separator: " and ")
  }

  /// Reasons with the number of contacts and groups, or of values, to which they apply; in the order of the agent.
  private var keptPhrases: [String] {
    var kinds: [Left.Kind] = []
    var counts: [Left.Kind: Int] = [:]
    for left in leftAlone {
      if counts[left.keptKind] == nil { kinds.append(left.keptKind) }
      counts[left.keptKind, default: 0] += 1
    }
    return kinds.map { $0.phrase(count: counts[$0] ?? 0) }
  }
}

extension UndoView.Left {
  /// A reason, and whether it applies to single values.
  fileprivate struct Kind: Hashable {
    let reason: String
    let isValue: Bool

    func phrase(count: Int) -> String {
      let what = isValue ? Quantity.text(count, "value") : Quantity.text(count)
      let isOne = count == 1
      return switch reason {
      case "changedSince": "\(what) edited since \(isOne ? "was" : "were") kept"
      case "deletedSince": "\(what) deleted since \(isOne ? "stays" : "stay") deleted"
      case "thereAgain": "\(what) already \(isOne ? "exists" : "exist") again"
      case "erased": "\(what) \(isOne ? "was" : "were") erased with the trash"
      case "groupGone": "\(what) belonged to a group that no longer exists here"
      case "groupInUse":
        "\(Quantity.text(count, "group")) with other contacts \(isOne ? "was" : "were") kept"
      default: "\(what) \(isOne ? "was" : "were") not undone"
      }
    }
  }

  fileprivate var keptKind: Kind { Kind(reason: reason, isValue: field != nil) }
}

extension ActionItem {
  /// The action as a noun for what it did to contacts or groups.
  fileprivate var deed: String {
    switch kind {
    case "addGroup": "creation"
    case "renameGroup": "renaming"
    case "deleteGroup": "deletion"
    case "several": "changes"
    default: what
    }
  }

  /// What it changed: by name, or by number if that is more than one.
  fileprivate var things: String {
    guard count == 1, !name.isEmpty else { return Quantity.text(count, "contact") }
    return kind.hasSuffix("Group") ? "the group “\(name)”" : name
  }
}
