import Records
import Testing

@Suite("I23 lineages")
struct LineageTests {
  private static let first = Incarnation(2)
  private static let second = Incarnation(3)
  private static let present = Incarnation(4)
  /// Three histories: up to 10, from 1000 to 1010, and from 2000 on.
  private static let lineage = Lineage().continued(from: first, after: Revision(10))
    .continued(from: second, after: Revision(1010))

  private static func versions(_ tag: Int64, _ former: FormerVersion? = nil) -> VersionVector {
    lineage.versions(at: Revision(tag), former, in: present)
  }

  @Test func `a state contains the histories before its own, and its own up to its tag`() {
    #expect(Self.versions(7)[Self.first] == Revision(7))
    #expect(Self.versions(7)[Self.second] == nil)
    #expect(Self.versions(1003)[Self.first] == Revision(10))
    #expect(Self.versions(1003)[Self.second] == Revision(1003))
    let present = Self.versions(2005)
    #expect(present.includes(Self.lineage.versions) && present[Self.present] == Revision(2005))
  }

  @Test func `a state that was saved again unchanged contains what it contained`() {
    let lost = VersionVector([
      VersionVector.Entry(incarnation: Self.second, revision: Revision(1015))
    ])
    #expect(Self.versions(2005, FormerVersion(lost, isExact: true)) == lost)
    let edited = Self.versions(2006, FormerVersion(lost, isExact: false))
    #expect(edited.includes(lost) && edited[Self.present] == Revision(2006))
  }

  @Test func `the next state of an ended history contains a revision of that one`() {
    let lost = VersionVector([.init(incarnation: Self.first, revision: Revision(9))])
    let history = ZoneHistory(Self.present, Self.lineage)
    let before = (tag: Revision(1003), former: FormerVersion?.some(.init(lost, isExact: true)))
    let next = history.former(nil, over: before, at: Revision(1004))
    var expected = lost
    expected.raise(Self.second, to: Revision(1004))
    #expect(next == FormerVersion(expected, isExact: true))
  }

  @Test func `the bytes of a lineage give it back`() {
    #expect(Lineage(bytes: Self.lineage.bytes) == Self.lineage)
    #expect(Lineage(bytes: [1]) == nil)
  }
}
