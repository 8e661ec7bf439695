// What devices ask people in a simulated world: which value of a conflict stays, and whether deletions
// that nobody confirmed may go.

import DeviceStore
import Records
import SyncCore

extension World {
  /// Somebody resolves a conflict, if there is one.
  mutating func resolve(on index: Int) throws {
    let conflicts = try devices[index].replica.reader.conflicts()
    guard let conflict = conflicts.randomElement(using: &dice) else { return }
    let choice: ConflictChoice = dice.happens(percent: 50) ? .mine : .theirs
    trace?("device \(index) resolves \(conflict.id) with \(choice)")
    let actions = try devices[index].replica.resolve(
      conflict: conflict.id, choice: choice, now: now)
    // A deletion that stays is this person's, and what was chosen goes over what was typed.
    workload.undone(conflict.record, on: index)
    try perform(actions, of: index)
    report.resolutions += 1
    guard try !devices[index].replica.reader.conflicts().contains(where: { $0.id == conflict.id })
    else { throw InvariantViolation("conflicts", "\(conflict.id) was resolved and is listed") }
  }

  /// Every device is told whether what it holds may go.
  mutating func answerGuards() throws {
    for index in devices.indices {
      let isAccepted = dice.happens(percent: 50)
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
