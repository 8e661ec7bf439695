import BrokerClient
import BrokerClientTesting
import Testing

@Suite("K4 subscriptions and notifications", .timeLimit(.minutes(5)))
struct SubscriptionTests {
  @Test func `subscriptions of each kind are saved, listed, fetched and deleted`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let zone = try await database.save(Zone(title: "Work"))
      var query = Subscription(
        id: "a",
        .query(
          Query(recordType: "Note", predicate: "text == %@ AND n < %@", arguments: ["x", 5]),
          inZone: nil),
        options: [.firesOnRecordCreation])
      query.firesOnce = true
      query.notification.title = "{text}"
      query.notification.desiredKeys = ["text"]
      query.notification.isContentAvailable = true
      var one = Subscription(id: "b", .zone(zone.id, recordType: "Note"))
      one.belongsToThisDevice = true
      let all = Subscription(id: "c", .database(recordType: nil))
      for subscription in [query, one, all] { try await database.save(subscription) }
      #expect(try await database.allSubscriptions() == [query, one, all])
      #expect(try await database.subscription(for: "a") == query)
      try await database.deleteSubscription(withID: "a")
      try await database.deleteSubscription(withID: "a")
      #expect(try await database.allSubscriptions().map(\.id) == ["b", "c"])
      let error = await failure { () async throws(RecordsError) in
        try await database.subscription(for: "a")
      }
      #expect(error?.code == .unknownItem)
    }
  }

  @Test func `an invalid predicate is refused with its column`() async throws {
    try await LocalBroker.run { broker in
      let bad = Subscription(
        id: "bad", .query(Query(recordType: "Note", predicate: "text ==="), inZone: nil))
      let error = await failure { () async throws(RecordsError) in
        try await broker.container().privateDatabase.save(bad)
      }
      #expect(error?.code == .invalidArguments)
      #expect(error?.column == 8)
    }
  }

  @Test func `other devices are notified in order, with text and fields, the writer is not`()
    async throws
  {
    try await LocalBroker.run { broker in
      let laptop = broker.container(device: "laptop")
      let phone = broker.container(device: "phone")
      var subscription = Subscription(
        id: "red", .query(Query(recordType: "Note", predicate: "color == 'red'"), inZone: nil))
      subscription.notification.title = "Look: {text}"
      subscription.notification.desiredKeys = ["text"]
      try await phone.privateDatabase.save(subscription)
      var note = Record(recordType: "Note", fields: ["text": "one", "color": "red"])
      note = try await laptop.privateDatabase.save(note)
      note["color"] = "blue"
      note = try await laptop.privateDatabase.save(note)
      note["color"] = "red"
      note = try await laptop.privateDatabase.save(note)
      try await laptop.privateDatabase.deleteRecord(withID: note.id)
      var received: [Firing] = []
      for try await notification in phone.notifications() {
        guard case .changed(let change) = notification else { continue }
        #expect(change.recordID == note.id)
        #expect(change.device == laptop.device.id)
        received += change.firings
        if received.count == 4 { break }
      }
      #expect(received.map(\.reason) == [.created, .left, .entered, .deleted])
      #expect(received.allSatisfy { $0.subscriptionID == "red" && $0.content.title == "Look: one" })
      #expect(received.allSatisfy { $0.recordFields == ["text": "one"] })
    }
  }

  @Test func `only unacknowledged notifications are delivered again`() async throws {
    try await LocalBroker.run { broker in
      let laptop = broker.container(device: "laptop")
      let phone = broker.container(device: "phone")
      try await phone.privateDatabase.save(Subscription(id: "all", .database(recordType: "Note")))
      var ids: [RecordID] = []
      for _ in 0..<3 {
        ids.append(try await laptop.privateDatabase.save(Record(recordType: "Note")).id)
      }
      let first = phone.notifications()
      for try await notification in first {
        await first.acknowledge(through: notification.number)
        break
      }
      #expect(try await received(phone, count: 2) == Array(ids.dropFirst()))
      // The two were not acknowledged, so a program that restarts receives them again.
      #expect(try await received(phone, count: 2) == Array(ids.dropFirst()))
    }
  }

  @Test func `a slow reader receives nine hundred notifications, each once`() async throws {
    try await LocalBroker.run { broker in
      let laptop = broker.container(device: "laptop")
      let phone = broker.container(device: "phone")
      try await phone.privateDatabase.save(Subscription(id: "all", .database(recordType: "Note")))
      let notes = (0..<900).map { _ in Record(recordType: "Note") }
      try await laptop.privateDatabase.modify(saving: notes).get()
      let notifications = phone.notifications()
      var seen: [RecordID] = []
      for try await notification in notifications {
        guard case .changed(let change) = notification else { continue }
        seen.append(change.recordID)
        if seen.count % 100 == 0 { await notifications.acknowledge(through: notification.number) }
        if seen.count == 900 { break }
      }
      #expect(seen == notes.map(\.id))
    }
  }

  @Test func `a program that follows its notifications keeps its device id`()
    async throws
  {
    try await LocalBroker.run { broker in
      let phone = broker.container(device: "phone")
      let database = phone.privateDatabase
      try await database.save(Subscription(id: "all", .database(recordType: "Note")))
      let device = phone.device.id
      var notifications = phone.notifications().makeAsyncIterator()
      try await broker.container(device: "laptop").privateDatabase.save(Record(recordType: "Note"))
      _ = try await notifications.next()
      // During this time the broker treats messages of an earlier connection as late.
      try await Task.sleep(for: .seconds(7))
      _ = try await database.allSubscriptions()
      try await broker.container(device: "laptop").privateDatabase.save(Record(recordType: "Note"))
      guard case .changed? = try await notifications.next() else {
        Issue.record("The second note caused no notification.")
        return
      }
      #expect(phone.device.id == device)
    }
  }

  private func received(_ container: Container, count: Int) async throws -> [RecordID] {
    var ids: [RecordID] = []
    for try await notification in container.notifications() {
      if case .changed(let change) = notification { ids.append(change.recordID) }
      if ids.count == count { break }
    }
    return ids
  }
}
