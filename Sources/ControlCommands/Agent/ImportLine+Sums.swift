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
  }
  /// The totals in one line, with the commands that undo the last of the imports.
  /// - Parameter actions: The numbers of the actions, the earliest first.
  func sentence(isDryRun: Bool, actions: [Int64]) -> String {
    let parts = [
      (added, isDryRun ? "would be added" : "added"),
      (updated, isDryRun ? "would be updated" : "updated"),
      (unchanged, "unchanged"), (skipped, "skipped"),
      (groups, groups == 1 ? "group" : "groups"), (failed, "failed"),
      (damaged, "incomplete"), (flagged, "with warnings"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\(Quantity.text($0.0)) \($0.1)" }
    guard !counts.isEmpty else { return "The files contain no contacts." }
    // The latest first, because they must be undone in this order.
    let commands = actions.suffix(3).reversed().map { "contactsctl undo \($0)" }
    let undo = commands.isEmpty ? "" : " Undo: " + commands.joined(separator: "; ")
    return counts.joined(separator: ", ") + "." + undo
  }
}
