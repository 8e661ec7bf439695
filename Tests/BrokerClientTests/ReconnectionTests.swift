import BrokerClient
import BrokerClientTesting
import Testing

@Suite("K3, K4 a broker that stops and restarts", .timeLimit(.minutes(5)))
struct ReconnectionTests {
  @Test func `a save waits for the broker and takes effect once`() async throws {
    let storage = try LocalBroker.Storage()
    let container = Container(
      name: "tests", broker: storage.address, account: "alice",
      device: DeviceIdentity(name: "laptop"))
    let early = Task { try await container.privateDatabase.save(Record(recordType: "Note")) }
    try await LocalBroker.run(on: storage) { _ in
      let saved = try await early.value
      #expect(saved.recordChangeTag == 1)
    }
    let between = Task { try await container.privateDatabase.save(Record(recordType: "Note")) }
    try await LocalBroker.run(on: storage) { _ in
      let saved = try await between.value
      #expect(saved.recordChangeTag == 2)
      #expect(
        try await container.privateDatabase.save(Record(recordType: "Note"))
          .recordChangeTag == 3)
    }
    #expect(container.device.lastNumber == 3)
    #expect(container.device.acknowledged == 3)
  }

  @Test func `a feed continues at its position after the broker restarts`() async throws {
    let storage = try LocalBroker.Storage()
    let (phone, laptop) = (container(storage, "phone"), container(storage, "laptop"))
    var pages = phone.privateDatabase.changes().makeAsyncIterator()
    var names: [String] = []
    for round in 0..<3 {
      try await LocalBroker.run(on: storage) { _ in
        let id = RecordID(recordName: "n\(round)")
        try await laptop.privateDatabase.save(Record(recordType: "Note", id: id))
        while names.count <= round {
          guard let page = try await pages.next() else { break }
          names += page.changes.compactMap {
            if case .saved(let record) = $0 { record.id.recordName } else { nil }
          }
        }
      }
    }
    #expect(names == ["n0", "n1", "n2"])
  }

  @Test func `notifications continue after a restart, each delivered once`() async throws {
    let storage = try LocalBroker.Storage()
    let (phone, laptop) = (container(storage, "phone"), container(storage, "laptop"))
    var notifications = phone.notifications().makeAsyncIterator()
    var ids: [RecordID] = []
    var saved: [RecordID] = []
    for round in 0..<3 {
      try await LocalBroker.run(on: storage) { _ in
        if round == 0 {
          try await phone.privateDatabase.save(Subscription(id: "all", .database(recordType: nil)))
        }
        saved.append(try await laptop.privateDatabase.save(Record(recordType: "Note")).id)
        // None was acknowledged: the broker sends them all again, each time.
        while ids.count <= round, let notification = try await notifications.next() {
          if case .changed(let change) = notification { ids.append(change.recordID) }
        }
      }
    }
    #expect(ids == saved)
  }

  @Test func `a copied identity becomes two devices, and no write is lost`() async throws {
    try await LocalBroker.run { broker in
      let first = broker.container()
      try await first.privateDatabase.save(Record(recordType: "Note"))
      let copy = Container(
        name: "tests", broker: broker.address, account: "alice", device: first.device)
      try await copy.privateDatabase.save(Record(recordType: "Note"))
      try await first.privateDatabase.save(Record(recordType: "Note"))
      try await copy.privateDatabase.save(Record(recordType: "Note"))
      #expect(try await first.privateDatabase.changesUntilNow().changes.count == 4)
      #expect(first.device.id != copy.device.id)
    }
  }

  private func container(_ storage: LocalBroker.Storage, _ device: String) -> Container {
    Container(
      name: "tests", broker: storage.address, account: "alice",
      device: DeviceIdentity(name: device))
  }
}
