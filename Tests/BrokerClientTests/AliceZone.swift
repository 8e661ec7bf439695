import BrokerClient
import BrokerClientTesting

/// A zone of alice's with one record, for tests about sharing.
struct AliceZone {
  let broker: LocalBroker
  let alice: Container
  let id: ZoneID

  var database: Database { alice.privateDatabase }
  var recordID: RecordID { RecordID(recordName: "a", zoneID: id) }

  init(_ broker: LocalBroker) async throws {
    self.broker = broker
    alice = broker.container(account: "alice")
    id = try await alice.privateDatabase.save(Zone(title: "Family")).id
    try await database.save(Record(recordType: "Note", id: recordID, fields: ["text": "one"]))
  }

  /// Returns the device of an account that has accepted `link`, and the zone as the account names it.
  func join(
    _ link: ShareLink, account: String
  ) async throws -> (container: Container, zone: ZoneID) {
    let container = broker.container(account: account)
    let metadata = try await container.accept(link)
    return (container, metadata.zoneID)
  }

  /// Shares the zone with any account that has the returned link.
  func share(_ permission: SharePermission) async throws -> ShareLink {
    let share = try await database.createShare(of: id, publicPermission: permission)
    guard let link = share.link else { throw MissingLink() }
    return link
  }

  /// Returns new accounts that alice can find, in the order of their names.
  func discoverableAccounts(count: Int) async throws -> [String] {
    var names: [String] = []
    for number in 1000..<(1000 + count) {
      let name = "guest-\(number)"
      let container = broker.container(account: name)
      try await container.setDiscoverable(true)
      await container.close()
      names.append(name)
    }
    return names
  }

  struct MissingLink: Error {}
}
