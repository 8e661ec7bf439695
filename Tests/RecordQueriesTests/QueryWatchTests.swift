import DeviceStore
import Predicates
import RecordQueries
import Records
import Testing

@Suite("K5 watching the result of a query")
struct QueryWatchTests {
  private func watch(
    database: DatabaseScope = .private, zone: ZoneID? = nil
  ) throws -> QueryWatch {
    try QueryWatch(
      RecordQuery(
        type: QueryDevice.item, database: database, zone: zone, predicate: Predicate("age == 1")),
      account: AccountID(0xADA))
  }

  private func event(of type: RecordType, in zone: ZoneID) -> LocalEvent {
    LocalEvent(
      sequence: 1, kind: .updated, type: type, zone: zone, id: "a", title: "", account: nil,
      device: nil, isLocal: true, time: QueryDevice.now)
  }

  @Test func `records of the query's type and zones concern it, and others do not`() throws {
    let watch = try watch()
    #expect(watch.isConcerned(by: event(of: QueryDevice.item, in: .standard)))
    #expect(watch.isConcerned(by: event(of: LocalEvent.groupType, in: .standard)))
    #expect(!watch.isConcerned(by: event(of: RecordType(stored: "Other"), in: .standard)))
    #expect(!watch.isConcerned(by: event(of: QueryDevice.item, in: .public)))
  }

  @Test func `a confirmed edit concerns it if the record is of its type and zones`() throws {
    let watch = try watch()
    let item = QueryDevice.item
    #expect(watch.isConcerned(by: ConfirmedRecords(zone: .standard, type: item)))
    #expect(!watch.isConcerned(by: ConfirmedRecords(zone: .public, type: item)))
    let other = RecordType(stored: "Other")
    #expect(!watch.isConcerned(by: ConfirmedRecords(zone: .standard, type: other)))
  }

  @Test func `a query reads its zone, or all zones of its database`() throws {
    let (own, bobs) = (ZoneID(name: ZoneName(7)), ZoneID(owner: AccountID(2), name: ZoneName(7)))
    let all: [ZoneID] = [.standard, own, bobs, .public]
    #expect(try all.filter(watch().reads) == [.standard, own])
    #expect(try all.filter(watch(zone: own).reads) == [own])
    #expect(try all.filter(watch(zone: own.resolved(for: AccountID(0xADA))).reads) == [own])
    #expect(try all.filter(watch(database: .shared).reads) == [bobs])
    #expect(try all.filter(watch(database: .public).reads) == [.public])
  }
}
