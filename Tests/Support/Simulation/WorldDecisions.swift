import DeviceStore
import Records
import SyncCore

extension World {
  /// Resolves a conflict on a device, if there is one.
  mutating func resolve(on index: Int) throws {
    let conflicts = try devices[index].replica.reader.conflicts()
    guard let conflict = conflicts.randomElement(using: &generator) else { return }
    let choice: ConflictChoice = generator.happens(percent: 50) ? .mine : .theirs
    trace?("device \(index) resolves \(conflict.id) with \(choice)")
    let actions = try devices[index].replica.resolve(
      conflict: conflict.id, choice: choice, now: now
    ).actions
    // If the deletion wins, this person deleted the record; the chosen value overwrites the typed one.
    workload.undone(conflict.record, on: index)
    try perform(actions, of: index)
    report.resolutions += 1
    guard try !devices[index].replica.reader.conflicts().contains(where: { $0.id == conflict.id })
    else {
      throw InvariantViolation("conflicts", "\(conflict.id) was resolved, but is still listed")
    }
  }

  /// Accepts or rejects the held deletions of every device.
  mutating func answerGuards() throws {
    for index in devices.indices {
      let isAccepted = generator.happens(percent: 50)
      trace?("device \(index) \(isAccepted ? "accepts" : "refuses") what it holds")
      let replica = devices[index].replica
      report.held += try replica.reader.status().heldDeletions
      let actions =
        isAccepted
        ? try replica.acceptDeletions(now: now) : try replica.refuseDeletions(now: now)
      try perform(actions, of: index)
    }
  }
}
