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
}
