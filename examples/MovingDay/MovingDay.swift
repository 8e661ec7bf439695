import BrokerClient

/// The tutorial's program. One device is notified when a person moves to a city; the other saves the moves.
enum MovingDay {
  /// Subscribes to people in a city. Saving an identical subscription again has no effect.
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

  /// Saves the city of a person, and creates the person's record if there is none.
  static func move(_ name: String, to city: String, in container: Container) async throws {
    let database = container.privateDatabase
    let id = RecordID(recordName: "person-\(name)")
    var person = Record(recordType: "Person", id: id)
    do throws(RecordsError) {
      person = try await database.record(for: id)
    } catch {
      guard error.code == .unknownItem else { throw error }
      person["name"] = .string(name)
    }
    person["city"] = .string(city)
    do throws(RecordsError) {
      try await database.save(person)
    } catch {
      // Another device saved the record first. Set the city in its version and save that.
      guard error.code == .serverRecordChanged, var theirs = error.serverRecord else { throw error }
      theirs["city"] = person["city"]
      try await database.save(theirs)
    }
  }

  /// Receives `count` notifications and reports the title of each.
  static func watch(_ container: Container, count: Int, report: @Sendable (String) -> Void)
    async throws
  {
    let notifications = container.notifications()
    var received = 0
    for try await notification in notifications {
      if case .changed(let change) = notification {
        for firing in change.firings { report(firing.content.title ?? firing.subscriptionID) }
      }
      await notifications.acknowledge(through: notification.number)
      received += 1
      if received == count { return }
    }
  }
}
