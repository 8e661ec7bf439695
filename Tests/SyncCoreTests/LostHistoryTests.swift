// A record on a device whose broker was put back to an earlier time.

import Records
import Testing

@testable import SyncCore

@Suite("I3, I13, I23 records of a history that was lost")
struct LostHistoryTests {
  private static let former = Incarnation(7)
  /// The present history continues the former one after revision 3.
  private static let history = ZoneHistory(
    Incarnation(8), Lineage().continued(from: former, after: Revision(3)))

  private static func state(
    _ tag: Int64, first: String, company: String, former: FormerVersion? = nil
  ) -> BrokerState {
    BrokerState(tag: Revision(tag), fields: fields(first, company), former: former)
  }

  private static func fields(_ first: String, _ company: String) -> Fields {
    Fields([("firstName", .string(first)), ("company", .string(company))])
  }

  private static func versions(_ revision: Int64) -> VersionVector {
    VersionVector([VersionVector.Entry(incarnation: former, revision: Revision(revision))])
  }

  /// A record that was confirmed as `ancestor` and is shown as `shown`, in the new history.
  private static func layers(
    confirmed ancestor: BrokerState, shown: Fields?, base: Fields? = nil
  ) -> RecordLayers {
    var layers = RecordLayers(
      name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), ancestor: ancestor,
      shown: shown)
    let tag = ancestor.tag?.value ?? 0
    #expect(layers.beginHistory(containing: versions(tag)).isEmpty)
    layers.lostContext = LostContext(history, base: base)
    return layers
  }

  private static func fed(_ layers: inout RecordLayers, _ state: BrokerState) -> [ConflictRecord] {
    if case .merged(let conflicts) = layers.fed(state, own: nil) { conflicts } else { [] }
  }

  @Test func `a state that the backup lacks is sent again and is no conflict`() {
    let lost = Self.state(4, first: "New", company: "Acme")
    var layers = Self.layers(confirmed: lost, shown: lost.fields)
    #expect(Self.fed(&layers, Self.state(2, first: "Old", company: "Acme")).isEmpty)
    #expect(layers.shown == lost.fields)
    guard case .save(let save) = layers.operation else {
      Issue.record("It is not sent.")
      return
    }
    #expect(save.tag == Revision(2))
    #expect(save.former == FormerVersion(Self.versions(4), isExact: true))
  }

  @Test func `a value that was cleared after the backup stays cleared`() {
    let cleared = BrokerState(tag: Revision(4), fields: Fields([("firstName", .string("Ann"))]))
    var layers = Self.layers(confirmed: cleared, shown: cleared.fields)
    #expect(Self.fed(&layers, Self.state(2, first: "Ann", company: "Acme")).isEmpty)
    #expect(layers.shown == cleared.fields)
  }

  @Test func `of two devices' states the one with the higher revision wins`() {
    let mine = Self.state(4, first: "Four", company: "Acme")
    let theirs = Self.state(
      1 << 33, first: "Five", company: "Acme",
      former: FormerVersion(Self.versions(5), isExact: true))
    var behind = Self.layers(confirmed: mine, shown: mine.fields)
    #expect(Self.fed(&behind, theirs).isEmpty)
    #expect(behind.isClean && behind.shown == theirs.fields)
    let six = Self.state(6, first: "Six", company: "Acme")
    var ahead = Self.layers(confirmed: six, shown: six.fields)
    #expect(Self.fed(&ahead, theirs).isEmpty)
    #expect(ahead.hasPending && ahead.shown == six.fields)
  }

  @Test func `an edit made after the restore merges by field with a later lost state`() {
    let edit = Self.state(1 << 33, first: "Old", company: "Edited")
    let lost = Self.state(4, first: "New", company: "Acme")
    var layers = Self.layers(
      confirmed: lost, shown: lost.fields, base: Self.fields("Old", "Acme"))
    #expect(Self.fed(&layers, edit).isEmpty)
    #expect(layers.shown == Self.fields("New", "Edited"))
    guard case .save(let save) = layers.operation else {
      Issue.record("It is not sent.")
      return
    }
    #expect(save.former == FormerVersion(Self.versions(4), isExact: false))
  }

  @Test func `an edit made after the restore of the same field is a conflict`() {
    let edit = Self.state(1 << 33, first: "Edited", company: "Acme")
    let lost = Self.state(4, first: "New", company: "Acme")
    var layers = Self.layers(
      confirmed: lost, shown: lost.fields, base: Self.fields("Old", "Acme"))
    #expect(Self.fed(&layers, edit).count == 1)
  }

  @Test func `what the broker has lost stays while an edit of something else waits`() {
    let known = Self.state(4, first: "New", company: "Acme")
    var layers = Self.layers(confirmed: known, shown: Self.fields("New", "Typed"))
    #expect(Self.fed(&layers, Self.state(2, first: "Old", company: "Acme")).isEmpty)
    #expect(layers.shown == Self.fields("New", "Typed"))
  }

  @Test func `a state that the backup has is no lost one, and a waiting edit is an edit of it`() {
    let known = Self.state(2, first: "New", company: "Acme")
    var clean = Self.layers(confirmed: known, shown: known.fields)
    #expect(Self.fed(&clean, known).isEmpty && clean.isClean)
    var edited = Self.layers(confirmed: known, shown: Self.fields("New", "Typed"))
    let later = Self.state(3, first: "Newer", company: "Acme")
    #expect(Self.fed(&edited, later).isEmpty)
    #expect(edited.lost == nil && edited.shown == Self.fields("Newer", "Typed"))
  }

  @Test func `a deletion that the broker has lost is sent again, with its move`() {
    var layers = RecordLayers(
      name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), ancestor: .unknown,
      shown: nil)
    layers.lost = LostState(BrokerState(tag: nil, fields: nil), containing: Self.versions(4))
    layers.departure = MoveID(9)
    layers.lostContext = LostContext(Self.history, base: nil)
    #expect(Self.fed(&layers, Self.state(2, first: "Old", company: "Acme")).isEmpty)
    guard case .delete(let delete) = layers.operation else {
      Issue.record("It is not sent.")
      return
    }
    #expect(delete.tag == Revision(2) && delete.move == MoveID(9))
    #expect(delete.former == FormerVersion(Self.versions(4), isExact: true))
  }

  @Test func `a deletion that waits is sent, unless another device has changed the record`() {
    let known = Self.state(2, first: "New", company: "Acme")
    var same = Self.layers(confirmed: known, shown: nil)
    _ = Self.fed(&same, known)
    #expect(same.shown == nil && same.hasPending)
    var other = Self.layers(confirmed: known, shown: nil)
    #expect(Self.fed(&other, Self.state(3, first: "Old", company: "Acme")).count == 1)
    #expect(other.shown != nil)
  }
}
