// When deletions nobody asked for are held.

import SyncCore
import Testing

@Suite("The deletion guard")
struct DeletionGuardTests {
  @Test(arguments: [
    (20, 20, false), (21, 42, false), (21, 41, true), (21, 21, true), (500, 1000, false),
    (501, 1000, true),
  ])
  func `more than twenty and more than half are held`(
    deletions: Int, records: Int, isHeld: Bool
  ) {
    #expect(DeletionGuard.holds(deletions: deletions, ofRecords: records) == isHeld)
  }
}
