import Records
import Testing

@testable import BrokerCore

@Suite("N1 what the author of a deletion had not received")
struct UnseenChangesTests {
  @Test(arguments: [
    (1, ["phone"], "phone made 1 change since; nothing was deleted."),
    (30, ["phone", "Bob"], "phone and Bob made 30 changes since; nothing was deleted."),
    (9, ["a", "b", "c"], "a, b and c made 9 changes since; nothing was deleted."),
    (9, ["a", "b", "c", "d"], "a, b, c and others made 9 changes since; nothing was deleted."),
    (10_001, ["phone"], "phone made more than 10000 changes since; nothing was deleted."),
  ])
  func `the sentence names who changed how much`(count: Int, authors: [String], sentence: String) {
    let error = UnseenChanges(count: count, authors: authors).error
    #expect(error?.message == sentence)
    #expect(error?.reason == "zoneChanged")
  }

  @Test func `nothing unseen is no error`() {
    #expect(UnseenChanges(count: 0, authors: []).error == nil)
  }

  @Test(arguments: [
    (1, 7, 7), (2, 7, 7), (2, 40, 19), (3, 7, 0),
  ])
  func `a position in a former history counts as far as the backup has it`(
    incarnation: Int, read: Int64, through: Int64
  ) {
    var zone = StoredZone(
      key: 1, id: ZoneID(owner: AccountID(1), name: ZoneName(5)), title: "",
      incarnation: Incarnation(1), head: Revision(50), expiredThrough: .zero, isDeleted: false)
    zone.former = FormerHistory(incarnation: Incarnation(2), keptThrough: Revision(20))
    let versions = VersionVector([
      VersionVector.Entry(
        incarnation: Incarnation(UInt128(incarnation)), revision: Revision(read))
    ])
    #expect(zone.revision(readIn: versions) == Revision(through))
  }
}
