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
      head: Revision(9), stamp: stamp(5), recordsMaximum: maximum)
  }

  @Test func `children go by rising tags, and theirs are asked for next`() {
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

  @Test func `what does not go with the parent stays`() {
    var cascade = cascade()
    #expect(cascade.take(child("a", tag: 2, of: "x")) == nil, "its row was wrong")
    #expect(cascade.take(child("b", tag: 10, of: "p")) == nil, "it goes with a new one")
    #expect(cascade.take(change("c", tag: 2, kind: .deleted)) == nil)
    #expect(cascade.removed.isEmpty)
  }

  @Test func `it ends where it may delete no more, and says what is left`() {
    var cascade = cascade(maximum: 2)
    _ = cascade.take(child("a", tag: 2, of: "p"))
    #expect(cascade.roomCount == 1)
    _ = cascade.take(child("b", tag: 3, of: "p"))
    #expect(cascade.parent == nil)
    #expect(cascade.take(child("c", tag: 4, of: "p")) == nil)
    #expect(cascade.unfinished.map(\.name.text) == ["p", "a", "b"])
  }

  // MARK: The broker

  @Test func `at its start the broker asks once whether something is left`() {
    var small = SmallBroker()
    let first = small.broker.handle(.ticked(seconds: 1))
    #expect(first.contains(where: isReaping))
    #expect(!small.broker.handle(.ticked(seconds: 2)).contains(where: isReaping))
    #expect(small.broker.handle(.stored([.reapedCascades(CommitEffects())])).isEmpty)
    #expect(!small.broker.handle(.ticked(seconds: 3)).contains(where: isReaping))
  }

  @Test func `it goes on as long as something is left, a step at a time`() {
    var small = SmallBroker()
    let connection = ConnectionID(1)
    small.openLevel(connection)
    _ = small.broker.handle(.ticked(seconds: 1))
    _ = small.broker.handle(.stored([.reapedCascades(CommitEffects())]))
    var effects = CommitEffects()
    effects.leavesCascade = true
    let outcome = ModifyOutcome(number: number(1), groups: [[]])
    let modified = StorageResult.modified(
      connection, replyTo: 1, outcome, effects, byteCount: 0)
    #expect(small.broker.handle(.stored([modified])).filter(isReaping).count == 1)
    #expect(small.broker.handle(.stored([modified])).filter(isReaping).isEmpty, "one at a time")
    #expect(small.broker.handle(.stored([.reapedCascades(effects)])).filter(isReaping).count == 1)
    #expect(small.broker.handle(.stored([.reapedCascades(nil)])).filter(isReaping).isEmpty)
    #expect(small.broker.handle(.ticked(seconds: 2)).filter(isReaping).count == 1)
  }

  @Test func `what a step deletes is published like any commit`() {
    var small = SmallBroker()
    let connection = ConnectionID(1)
    small.openLevel(connection)
    _ = small.broker.handle(.ticked(seconds: 1))
    let commit = ZoneCommit(
      container: 1, zone: zone(head: 1), from: .zero,
      changes: [change("c", tag: 1, kind: .deleted)])
    let actions = small.broker.handle(
      .stored([.reapedCascades(CommitEffects(zones: [commit]))]))
    let published = actions.contains {
      if case .publish(_, to: [connection]) = $0 { true } else { false }
    }
    #expect(published)
  }

  private func isReaping(_ action: BrokerAction) -> Bool {
    if case .store(.reapCascades) = action { true } else { false }
  }
}
