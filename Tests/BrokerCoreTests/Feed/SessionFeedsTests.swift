import BrokerCore
import Records
import Testing

@Suite("I18 the zones of a connection")
struct SessionFeedsTests {
  private let connection = ConnectionID(1)
  private let rowing = ZoneID(owner: ada, name: ZoneName(5))

  /// Attaches the connection to a zone, detaches it if asked, and ends the first request.
  private func attached(_ small: inout SmallBroker, detaching: Bool) -> [String] {
    let stored = StoredZone(
      key: 6, id: rowing, title: "Rowing", incarnation: Incarnation(7), head: .zero,
      expiredThrough: .zero, isDeleted: false)
    _ = small.say(.attach([ZonePosition(zone: rowing, token: nil)]), from: connection)
    if detaching { _ = small.say(.detach([rowing]), from: connection) }
    let zone = AttachedZone(position: ZonePosition(zone: rowing, token: nil), stored: stored)
    let actions = small.broker.handle(
      .stored([client(.attached(.success([zone])), connection)]))
    return small.messages(in: actions).map(small.name)
  }

  @Test func `a zone that is detached before its attach request has ended is not followed`() {
    var small = SmallBroker()
    small.openLive(connection)
    #expect(attached(&small, detaching: true) == [])
    // A later request follows it again.
    #expect(attached(&small, detaching: false) == ["level"])
  }
}
