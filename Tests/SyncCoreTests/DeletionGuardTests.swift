// When unconfirmed deletions are held.

import SyncCore
import Testing

@Suite("C7 the deletion guard")
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

  @Test(arguments: [
    (0, 0, false), (20, 0, false), (21, 0, true), (10, 10, false), (10, 11, true), (0, 50, false),
  ])
  func `a group is held when more than twenty are lost with those before`(
    records: Int, deletions: Int, isHeld: Bool
  ) {
    #expect(DeletionGuard.holdsGroup(losing: records, after: deletions) == isHeld)
  }
}
