// Zones and subscriptions of a database: what CloudKit does with operations, and the zones in the trash.

import Records

extension Database {
  // MARK: Zones

  /// Fetches the zones of this database. CloudKit: `allRecordZones()`.
  ///
  /// The public database has the standard zone only.
  public func allZones() async throws(RecordsError) -> [Zone] {
    guard scope != .public else { return [Zone(id: .standard, title: "")] }
    let account = try await session.welcome().account
    guard case .directory(let page) = try await session.ask(.zones) else {
      throw Self.unexpectedAnswer
    }
    return page.entries.filter { !$0.isDeleted }.map { Zone($0, account: account) }.filter {
      $0.id.isOwn == (scope == .private)
    }
  }

  /// Creates a zone, or changes the title of an existing one. CloudKit: `save(_:)` of a `CKRecordZone`.
  @discardableResult
  public func save(_ zone: Zone) async throws(RecordsError) -> Zone {
    try await change(zone.id, .saveZone(title: zone.title))
    return zone
  }

  /// Deletes a zone and all its records. CloudKit: `deleteRecordZone(withID:)`.
  ///
  /// The zone is deleted whatever it contains. Deleting a zone that does not exist succeeds. It can be restored for 30
  /// days.
  public func deleteZone(withID id: ZoneID) async throws(RecordsError) {
    try await change(id, .deleteZone())
  }

  /// Fetches the account's deleted zones that can be restored, the latest deletion first. CloudKit has no counterpart.
  public func deletedZones() async throws(RecordsError) -> [DeletedZone] {
    guard scope == .private else { return [] }
    let account = try await session.welcome().account
    guard case .directory(let page) = try await session.ask(.zones) else {
      throw Self.unexpectedAnswer
    }
    return page.entries.compactMap { DeletedZone($0, account: account) }
      .sorted { $0.deletionDate > $1.deletionDate }
  }

  /// Restores a deleted zone with all its records. It is not shared any more. CloudKit has no counterpart.
  ///
  /// Restoring a zone that exists succeeds.
  /// - Throws: `zoneNotFound`, reason `zoneErased`, 30 days after the deletion; `quotaExceeded`.
  public func restoreZone(withID id: ZoneID) async throws(RecordsError) {
    try await change(id, .restoreZone)
  }

  private func change(_ zone: ZoneID, _ operation: Operation) async throws(RecordsError) {
    let group = OperationGroup(zone: try storedZone(zone), operations: [operation])
    guard let result = try await session.modify([group]).groups.first?.first else {
      throw Self.unexpectedAnswer
    }
    if let error = Self.failure(result, zone: zone) { throw error }
  }

  // MARK: Subscriptions

  /// Saves a subscription. CloudKit: `save(_:)` of a `CKSubscription`.
  ///
  /// The subscription applies to every change that is committed after this function returns. Saving an
  /// identical subscription again has no effect.
  /// - Throws: `invalidArguments`, with the column, if the predicate is invalid; `quotaExceeded`.
  public func save(_ subscription: Subscription) async throws(RecordsError) {
    let device = try await session.welcome().device
    let form = try subscription.form(in: scope, device: device)
    guard case .subscriptionSaved = try await session.ask(.saveSubscription(form)) else {
      throw Self.unexpectedAnswer
    }
  }

  /// Fetches a subscription by its id. CloudKit: `subscription(for:)`.
  /// - Throws: `unknownItem` if this database has no such subscription.
  public func subscription(for id: String) async throws(RecordsError) -> Subscription {
    guard let found = try await allSubscriptions().first(where: { $0.id == id }) else {
      throw RecordsError(.unknownItem, "There is no subscription “\(id)”.")
    }
    return found
  }

  /// Fetches the account's subscriptions to this database, sorted by id. CloudKit: `allSubscriptions()`.
  public func allSubscriptions() async throws(RecordsError) -> [Subscription] {
    let account = try await session.welcome().account
    var all: [SubscriptionState] = []
    while true {
      let message = try await session.ask(.subscriptions(after: all.last?.id))
      guard case .subscriptions(let states, let isWhole) = message else {
        throw Self.unexpectedAnswer
      }
      all += states
      if isWhole || states.isEmpty { break }
    }
    return all.filter { $0.form?.database == scope }.compactMap {
      Subscription($0, account: account)
    }
  }

  /// Deletes a subscription. CloudKit: `deleteSubscription(withID:)`.
  ///
  /// Deleting a subscription that does not exist succeeds.
  public func deleteSubscription(withID id: String) async throws(RecordsError) {
    let id = try Subscription.checkedID(id)
    guard case .subscriptionDeleted = try await session.ask(.deleteSubscription(id)) else {
      throw Self.unexpectedAnswer
    }
  }
}
