import BrokerCore
import Records
import Testing

@Suite("T1, I4 cascade")
struct CascadeTests {
  private func child(_ name: String, tag: Int64, of parents: String...) -> Change {
    change(
      name, tag: tag,
      fields: [
        "post": .list(
          parents.map {
            .reference(Reference(record: RecordName(stored: $0), action: .deleteSelf))
          })
      ])
  }

  private func cascade(maximum: Int = 10) -> Cascade {
    Cascade(
      from: [Cascade.Parent(name: RecordName(stored: "p"), tag: Revision(9))],
      in: ZoneHistory(Incarnation(1), Lineage()), head: Revision(9), stamp: stamp(5),
      recordsMaximum: maximum)
  }

  @Test func `the tombstone of a state that says all it contains has its own tag besides`() throws {
    var cascade = cascade()
    let live = child("a", tag: 2, of: "p")
    var versions = VersionVector()
    versions.raise(Incarnation(7), to: Revision(2))
    let child = Change(
      name: live.name, tag: live.tag, kind: .saved, type: live.type, created: live.created,
      modified: live.modified, record: live.record,
      former: FormerVersion(versions, isExact: true))
    versions.raise(Incarnation(1), to: Revision(10))
    #expect(cascade.take(child)?.former == FormerVersion(versions, isExact: true))
  }

  @Test func `children are deleted in tag order, then their own children follow`() {
    var cascade = cascade()
    #expect(cascade.parent?.name.text == "p")
    let first = cascade.take(child("a", tag: 2, of: "p"))
    #expect(first?.kind == .deleted && first?.tag == Revision(10))
    #expect(first?.modified == stamp(5) && first?.created == stamp())
    #expect(cascade.take(child("b", tag: 3, of: "x", "p"))?.tag == Revision(11))
    cascade.finishedParent()
    #expect(cascade.parent == Cascade.Parent(name: RecordName(stored: "a"), tag: Revision(10)))
    #expect(cascade.take(child("c", tag: 4, of: "a"))?.tag == Revision(12))
    for _ in 0..<2 { cascade.finishedParent() }
    #expect(cascade.parent?.name.text == "c" && cascade.unfinished.count == 1)
    cascade.finishedParent()
    #expect(cascade.parent == nil && cascade.unfinished.isEmpty)
    #expect(cascade.removed.map(\.text) == ["a", "b", "c"])
  }

  @Test func `a record that does not refer to the parent is not deleted`() {
    var cascade = cascade()
    #expect(cascade.take(child("a", tag: 2, of: "x")) == nil, "it refers to another record")
    #expect(cascade.take(child("b", tag: 10, of: "p")) == nil, "it was saved after the deletion")
    #expect(cascade.take(change("c", tag: 2, kind: .deleted)) == nil)
    #expect(cascade.removed.isEmpty)
  }

  @Test func `a cascade stops at its maximum and reports the unfinished parents`() {
    var cascade = cascade(maximum: 2)
    _ = cascade.take(child("a", tag: 2, of: "p"))
    #expect(cascade.remainingDeletions == 1)
    _ = cascade.take(child("b", tag: 3, of: "p"))
    #expect(cascade.parent == nil)
    #expect(cascade.take(child("c", tag: 4, of: "p")) == nil)
    #expect(cascade.unfinished.map(\.name.text) == ["p", "a", "b"])
  }

  // MARK: Broker

  @Test func `the deletions of a cascade step are published like any commit`() {
    var small = SmallBroker()
    let connection = ConnectionID(1)
    small.openLive(connection)
    _ = small.broker.handle(.ticked(seconds: 1))
    let commit = ZoneCommit(
      container: 1, zone: zone(head: 1), from: .zero,
      changes: [change("c", tag: 1, kind: .deleted)])
    let actions = small.broker.handle(
      .stored([done(.cascades, StepReport(effects: CommitEffects(zones: [commit])))]))
    let published = actions.contains {
      if case .publish(_, to: [connection]) = $0 { true } else { false }
    }
    #expect(published)
  }
}
