// A record on a device whose broker was put back to an earlier time.

import Records
import Testing

@testable import SyncCore

@Suite("I3, I13 records of a history that was lost")
struct LostHistoryTests {
  private static func state(_ tag: Int64, first: String, company: String) -> BrokerState {
    BrokerState(
      tag: Revision(tag),
      fields: Fields([("firstName", .string(first)), ("company", .string(company))]))
  }

  private func layers(ancestor: BrokerState, shown: Fields?) -> RecordLayers {
    RecordLayers(
      name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), ancestor: ancestor,
      shown: shown)
  }

  @Test
  func `what the broker has forgotten is not taken back while an edit of something else waits`() {
    let known = Self.state(4, first: "New", company: "Acme")
    var layers = layers(
      ancestor: known, shown: Self.state(4, first: "New", company: "Typed").fields)
    let older = Self.state(2, first: "Old", company: "Acme")
    layers.forgetHistory(beside: older)
    guard case .merged(let conflicts) = layers.fed(older, own: nil) else {
      Issue.record("It was not merged.")
      return
    }
    #expect(layers.shown?["company"] == .string("Typed"), "an edit of what is the same there")
    let values =
      conflicts.flatMap { [$0.losing, $0.winning] } + [layers.shown?["firstName"]]
    #expect(values.contains(.string("New")), "shown, or in a conflict")
  }

  @Test func `a record that is the same there is no conflict`() {
    let known = Self.state(4, first: "New", company: "Acme")
    var layers = layers(ancestor: known, shown: known.fields)
    let same = Self.state(2, first: "New", company: "Acme")
    layers.forgetHistory(beside: same)
    _ = layers.fed(same, own: nil)
    #expect(layers.isClean && layers.shown == known.fields)
  }

  @Test func `a deletion that waits is sent, unless the broker has another record now`() {
    let known = Self.state(4, first: "New", company: "Acme")
    var same = layers(ancestor: known, shown: nil)
    same.forgetHistory(beside: Self.state(2, first: "New", company: "Acme"))
    _ = same.fed(Self.state(2, first: "New", company: "Acme"), own: nil)
    #expect(same.shown == nil && same.hasPending)
    var other = layers(ancestor: known, shown: nil)
    other.forgetHistory(beside: Self.state(2, first: "Old", company: "Acme"))
    _ = other.fed(Self.state(2, first: "Old", company: "Acme"), own: nil)
    #expect(other.shown != nil)
  }
}
