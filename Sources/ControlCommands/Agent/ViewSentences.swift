// What subcommands print of the agent's views, in words and columns.

import AgentAPI

extension AuthorView {
  /// The account's name for people.
  var shown: String { name ?? account }
  /// The device's name for people.
  var shownDevice: String { deviceName ?? device }
}

extension GroupItem {
  /// The title for people. If another group of `groups` has the same title, a group of another account shows
  /// its owner; if that is the same too, the short id.
  func heading(among groups: [GroupItem]) -> String {
    let titled = groups.filter { $0.title == title }
    guard titled.count > 1 else { return title }
    let isUnique = titled.count { $0.ownerOfOther == ownerOfOther } == 1
    let details = [ownerOfOther, isUnique ? "" : ShortIDs(groups.map(\.id))[id]]
      .filter { !$0.isEmpty }
    return details.isEmpty ? title : "\(title) (\(details.joined(separator: ", ")))"
  }

  /// The owner's name for people; empty for a group of this account.
  private var ownerOfOther: String { role == "owner" ? "" : ownerDisplayName }
}

extension AgentClient {
  /// Returns the heading of the group with this id; the id if the groups cannot be read.
  func heading(ofGroup id: String) async -> String {
    let reply = try? await get(.groups)
    let groups = (try? reply?.decoded(as: GroupsView.self))?.groups ?? []
    return groups.first { $0.id == id }?.heading(among: groups) ?? id
  }
}

extension ConflictItem {
  /// The value that the contact shows.
  var shownValue: String { shown == "mine" ? mine : theirs }
  /// The other value.
  var otherValue: String { shown == "mine" ? theirs : mine }
}

extension ActionItem {
  /// The kind of action in words.
  var what: String {
    switch kind {
    case "add": "addition"
    case "edit": "change"
    case "delete": "deletion"
    case "restore": "restoration"
    case "resolve": "conflict resolution"
    case "addGroup": "group creation"
    case "renameGroup": "group renaming"
    case "deleteGroup": "group deletion"
    default: kind
    }
  }
}

extension UndoView.Left {
  /// What was not undone, and why.
  var sentence: String {
    let place = [field, entry].compactMap(\.self).joined(separator: "/")
    let what = place.isEmpty ? name : "\(place) of \(name)"
    let why =
      switch reason {
      case "changedSince": "it has changed since"
      case "deletedSince": "it has been deleted since"
      case "thereAgain": "it exists again"
      case "erased": "the trash was emptied"
      case "groupGone": "its group no longer exists here"
      case "groupInUse": "it contains other contacts now"
      default: reason
      }
    return "Not undone: \(what) (\(id)): \(why)."
  }
}

extension RefusedView.Edit {
  /// Returns the edit in columns. A terminal shows the reason and what was entered as one text.
  func row(in style: Printer.Style) -> [String] {
    guard style != .terminal else {
      return [id, "\(time)", name, "\(message) Rejected: \(editInWords)."]
    }
    let typed = fields.map { "\($0.field)=\($0.after)" } + removed.map { "\($0)=" }
    let what = change == "deleted" ? "deletion" : typed.joined(separator: "; ")
    return [id, "\(time)", contact ?? group, name, message, what]
  }

  private var editInWords: String {
    guard change != "deleted" else { return "the deletion" }
    let typed = fields.map { "\(ContactDetail.noun(ofField: $0.field)) “\($0.after)”" }
    let deleted = removed.map { "\(ContactDetail.noun(ofField: $0)) deleted" }
    return (typed + deleted).joined(separator: ", ")
  }
}

extension DuplicatesView.Reason {
  /// The reason in words.
  var sentence: String { "same \(fact) \(value)" }
}

extension DuplicatesView {
  /// The number of pairs, and how to merge one.
  var summary: String {
    guard !duplicates.isEmpty else { return "There are no likely duplicates." }
    return "Found \(Quantity.text(duplicates.count, "pair")) of likely duplicates. "
      + "Merge two contacts: contactsctl merge A B"
  }
}

extension MergedView {
  /// The result in one line, with the contact that was kept.
  func summary(kept: String) -> String {
    let values = moved.isEmpty ? "" : ", with \(Quantity.text(moved.count, "value")) moved"
    return "Merged 2 contacts into \(kept)\(values)."
  }
}

extension MergedView.Moved {
  /// Which value remained, and where the other one moved.
  var sentence: String {
    let (noun, target) = (ContactDetail.noun(ofField: field), ContactDetail.noun(ofField: to))
    return "\(noun): kept “\(kept)”; moved “\(other)” to \(target)."
  }
}
