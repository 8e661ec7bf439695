import BrokerCore
import Records
import Testing

@testable import BrokerPostgreSQL
@testable import BrokerStore

@Suite("I2 entries of the log of commits")
struct CommitLogEntryTests {
  private static let zone = FeedKey(
    container: 1, zone: ZoneID(owner: AccountID(7), name: ZoneName(9)))

  private static var full: CommitLogEntry {
    var entry = CommitLogEntry()
    entry.notice.add(
      ZoneAdvance(
        key: zone, row: 5, incarnation: Incarnation(11), from: Revision(3), head: Revision(300)))
    entry.notice.directories = [DirectoryKey(container: 1, account: 4)]
    entry.notice.deletedZones = [zone]
    entry.notice.losses = [
      AccessLoss(container: 1, account: 4, zone: zone.zone, isDeparture: true),
      AccessLoss(container: 1, account: 6, zone: zone.zone),
    ]
    entry.notice.expulsions = [.revoked(1), .removed(2), .formerKey(of: 3), .account(4)]
    entry.notice.notified = [
      NotificationCommit(number: NotificationNumber(8), receivers: [1, 200]),
      NotificationCommit(number: NotificationNumber(9), receivers: []),
    ]
    entry.notice.resumed = [12, 13]
    entry.notice.jobs = [.cascades, .directoryUpdates]
    entry.devices = [1, 1 << 40]
    entry.subscriptions = [3]
    entry.removedDevices = [DeviceID(21)]
    return entry
  }

  @Test func `an entry is read as it was written`() throws {
    let entry = CommitLogEntry(bytes: Self.full.bytes)
    let zone = try #require(entry.notice.zones.first)
    #expect(entry.notice.zones.count == 1)
    #expect((zone.key, zone.row, zone.incarnation) == (Self.zone, 5, Incarnation(11)))
    #expect((zone.from, zone.head) == (Revision(3), Revision(300)))
    #expect(entry.notice.directories == Self.full.notice.directories)
    #expect(entry.notice.deletedZones == Self.full.notice.deletedZones)
    #expect(entry.notice.losses == Self.full.notice.losses)
    #expect(entry.notice.expulsions == Self.full.notice.expulsions)
    #expect(entry.notice.notified == Self.full.notice.notified)
    #expect(entry.notice.resumed == Self.full.notice.resumed)
    #expect(entry.notice.jobs == Self.full.notice.jobs)
    #expect(entry.devices == Self.full.devices)
    #expect(entry.subscriptions == Self.full.subscriptions)
    #expect(entry.removedDevices == Self.full.removedDevices)
    #expect(!entry.isBroad)
    #expect(CommitLogEntry(bytes: CommitLogEntry.anything.bytes).isBroad)
    #expect(CommitLogEntry().bytes == [])
  }

  @Test func `what a later version adds is skipped`() {
    var writer = ByteWriter()
    writer.field(100, string: "later")
    writer.field(5) { $0.field(9, signed: 1) }
    writer.field(8, string: "job_of_later")
    let entry = CommitLogEntry(bytes: Self.full.bytes + writer.bytes)
    #expect(entry.notice.expulsions == Self.full.notice.expulsions)
    #expect(entry.notice.jobs == Self.full.notice.jobs)
    #expect(!entry.isBroad)
  }

  @Test func `an entry that cannot be read may have changed anything`() {
    for length in 1..<Self.full.bytes.count {
      let entry = CommitLogEntry(bytes: Array(Self.full.bytes.prefix(length)))
      // Cut between two fields it can be read, and has fewer.
      #expect(entry.isBroad || entry.bytes.count <= length, "\(length) bytes")
    }
    #expect(CommitLogEntry(bytes: [0xFF]).isBroad)
    #expect(CommitLogEntry(bytes: [0x0A, 0x00]).isBroad)
  }
}
