// A small program against a broker, as the library's tutorial builds it: one device waits to be told
// who has moved to a city, another one enters somebody.

import BrokerClient

/// Who has moved where.
enum MovingDay {
  /// Saves a subscription. Saving it again, at each start, changes nothing.
  static func subscribe(_ container: Container, city: String) async throws {
    var subscription = Subscription(
      id: "arrivals",
      .query(
        Query(recordType: "Person", predicate: "city == %@", arguments: [.string(city)]),
        inZone: nil),
      options: [.firesOnRecordCreation, .firesOnRecordUpdate])
    subscription.notification.title = "{name} has arrived"
    subscription.notification.desiredKeys = ["name"]
    try await container.privateDatabase.save(subscription)
  }

  /// Enters somebody, or says where they live now.
  static func move(_ name: String, to city: String, in container: Container) async throws {
    let database = container.privateDatabase
    let id = RecordID(recordName: "person-\(name)")
    var person = Record(recordType: "Person", id: id)
    do throws(RecordError) {
      person = try await database.record(for: id)
    } catch {
      guard error.code == .unknownItem else { throw error }
      person["name"] = .string(name)
    }
    person["city"] = .string(city)
    do throws(RecordError) {
      try await database.save(person)
    } catch {
      // Another device was quicker. What it wrote stays; our field goes into it.
      guard error.code == .serverRecordChanged, var theirs = error.serverRecord else { throw error }
      theirs["city"] = person["city"]
      try await database.save(theirs)
    }
  }

  /// Waits for arrivals, and tells them.
  static func watch(_ container: Container, count: Int, tell: @Sendable (String) -> Void)
    async throws
  {
    let notifications = container.notifications()
    var told = 0
    for try await notification in notifications {
      if case .changed(let change) = notification {
        for firing in change.firings { tell(firing.content.title ?? firing.subscriptionID) }
      }
      await notifications.acknowledge(through: notification.number)
      told += 1
      if told == count { return }
    }
  }
}
