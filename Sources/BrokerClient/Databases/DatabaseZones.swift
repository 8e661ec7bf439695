// A database's zones and subscriptions.

import Records

extension Database {
  // MARK: Zones

  /// The zones of this database; of the public one always the standard zone alone. CloudKit:
  /// `allRecordZones()`.
  public func allZones() async throws(RecordError) -> [Zone] {
    guard scope != .public else { return [Zone(id: .standard, title: "")] }
    let account = try await session.welcome().account
    guard case .directory(let page) = try await session.ask(.zones) else { throw Self.strange }
    return page.entries.filter { !$0.isDeleted }.map { Zone($0, account: account) }.filter {
      $0.id.isOwn == (scope == .private)
    }
  }

  /// Makes a zone, or gives one another title. CloudKit: `save(_:)` of a `CKRecordZone`.
  @discardableResult
  public func save(_ zone: Zone) async throws(RecordError) -> Zone {
    try await change(zone.id, .saveZone(title: zone.title))
    return zone
  }

  /// Deletes a zone with everything in it. Deleting one that is not there succeeds. CloudKit:
  /// `deleteRecordZone(withID:)`.
  public func deleteZone(withID id: ZoneID) async throws(RecordError) {
    try await change(id, .deleteZone)
  }

  private func change(_ zone: ZoneID, _ operation: Operation) async throws(RecordError) {
    let group = OperationGroup(zone: try place(of: zone), operations: [operation])
    guard let result = try await session.modify([group]).groups.first?.first else {
      throw Self.strange
    }
    if let error = Self.failure(result, zone: zone) { throw error }
  }

  // MARK: Subscriptions

  /// Saves a subscription, which then sees every change made after it. CloudKit: `save(_:)` of a
  /// `CKSubscription`.
  /// - Throws: `invalidArguments`, with the column, for a predicate that is wrong; `quotaExceeded`.
  public func save(_ subscription: Subscription) async throws(RecordError) {
    let device = try await session.welcome().device
    let form = try subscription.form(in: scope, device: device)
    guard case .subscriptionSaved = try await session.ask(.saveSubscription(form)) else {
      throw Self.strange
    }
  }

  /// One subscription. CloudKit: `subscription(for:)`.
  /// - Throws: `unknownItem` where there is none in this database.
  public func subscription(for id: String) async throws(RecordError) -> Subscription {
    guard let found = try await allSubscriptions().first(where: { $0.id == id }) else {
      throw RecordError(.unknownItem, "There is no subscription “\(id)”.")
    }
    return found
  }

  /// The account's subscriptions to this database, by id. CloudKit: `allSubscriptions()`.
  public func allSubscriptions() async throws(RecordError) -> [Subscription] {
    let account = try await session.welcome().account
    var all: [SubscriptionState] = []
    while true {
      let message = try await session.ask(.subscriptions(after: all.last?.id))
      guard case .subscriptions(let states, let isWhole) = message else { throw Self.strange }
      all += states
      if isWhole || states.isEmpty { break }
    }
    return all.filter { $0.form?.database == scope.stored }.compactMap {
      Subscription($0, account: account)
    }
  }

  /// Deletes a subscription. Deleting one that is not there succeeds. CloudKit:
  /// `deleteSubscription(withID:)`.
  public func deleteSubscription(withID id: String) async throws(RecordError) {
    let id = try Subscription.checkedID(id)
    guard case .subscriptionDeleted = try await session.ask(.deleteSubscription(id)) else {
      throw Self.strange
    }
  }
}
