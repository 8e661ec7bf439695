import AgentAPI

extension ImportLine.Summary {
  /// Whether the file contained no contact and no group.
  var isEmpty: Bool { added + updated + unchanged + skipped + failed + groups == 0 }

  /// Adds another file's totals.
  mutating func add(_ other: Self) {
    added += other.added
    updated += other.updated
    unchanged += other.unchanged
    skipped += other.skipped
    failed += other.failed
    groups += other.groups
    flagged += other.flagged
    damaged += other.damaged
    // In a dry run, each file names the groups that the others name too.
    madeGroups += other.madeGroups.filter { !madeGroups.contains($0) }
  }

  /// The totals in one line, with the commands that undo the last of the imports.
  /// - Parameter actions: The numbers of the actions, the earliest first.
  func sentence(isDryRun: Bool, actions: [Int64]) -> String {
    let parts = [
      (added, isDryRun ? "would be added" : "added"),
      (updated, isDryRun ? "would be updated" : "updated"),
      (unchanged, "unchanged"), (skipped, "skipped"),
      (groups, groups == 1 ? "group card" : "group cards"), (failed, "failed"),
      (damaged, "incomplete"), (flagged, "with warnings"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\(Quantity.text($0.0)) \($0.1)" }
    guard !counts.isEmpty else { return "The files contain no contacts." }
    // The latest first, because they must be undone in this order.
    let commands = actions.suffix(3).reversed().map { "contactsctl undo \($0)" }
    let undo = commands.isEmpty ? "" : " Undo: " + commands.joined(separator: "; ")
    let made = madeGroups.isEmpty ? "" : "; \(isDryRun ? "would make" : "made") \(groupPhrase)"
    return counts.joined(separator: ", ") + made + "." + undo
  }

  /// The new groups by title; of many only the first ones, so that the sentence remains readable.
  private var groupPhrase: String {
    let named = madeGroups.count > 6 ? madeGroups.prefix(5) : madeGroups[...]
    var titles = named.map { "“\($0)”" }
    if named.count < madeGroups.count {
      titles.append("\(Quantity.text(madeGroups.count - named.count)) others")
    }
    let last = titles.removeLast()
    return titles.isEmpty
      ? "the group \(last)" : "the groups \(titles.joined(separator: ", ")) and \(last)"
  }
}
