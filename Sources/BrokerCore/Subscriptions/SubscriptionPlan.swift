// What saving a subscription comes to, decided inside the transaction: whose it may be, whether the
// zone it names may be read, whether there is room. Whether its words can be read was asked before;
// what is decided here is what may change from one moment to the next.

import Records

/// The rows that saving a subscription concerns.
package struct GatheredForSubscription: Sendable {
  /// Whether the device was revoked, or its account disabled.
  package let isRevoked: Bool
  /// What is kept under the id.
  package let existing: SubscriptionState?
  /// The zone that the subscription names, if there is one.
  package let zone: StoredZone?
  /// What the account is to that zone, where it is another's.
  package let participation: StoredParticipation?
  /// What there is already, without the one kept under the id.
  package let standing: Standing

  /// How much there is.
  package struct Standing: Hashable, Sendable {
    /// The account's subscriptions.
    package var count: Int
    /// What those weigh.
    package var accountBytes: Int
    /// What everybody's weigh.
    package var allBytes: Int

    /// So much.
    package init(count: Int = 0, accountBytes: Int = 0, allBytes: Int = 0) {
      self.count = count
      self.accountBytes = accountBytes
      self.allBytes = allBytes
    }
  }

  /// What was gathered.
  package init(
    isRevoked: Bool, existing: SubscriptionState?, zone: StoredZone?, standing: Standing,
    participation: StoredParticipation? = nil
  ) {
    self.participation = participation
    self.isRevoked = isRevoked
    self.existing = existing
    self.zone = zone
    self.standing = standing
  }
}

/// What saving a subscription comes to.
package enum SubscriptionPlan: Hashable, Sendable {
  /// Keep it, in the place of what was kept under its id.
  case save
  /// It is kept already, word for word.
  case unchanged
  /// Nothing is kept.
  case refuse(RecordsError)

  /// Decides about `form`, whose zone names its owner and which weighs `byteCount` bytes.
  package init(
    _ form: SubscriptionForm, byteCount: Int, of identity: SessionIdentity,
    gathered: GatheredForSubscription
  ) {
    do throws(RecordsError) {
      try Self.checkOwner(form, identity, gathered)
      try Self.checkZone(form, identity, gathered)
      if let existing = gathered.existing, existing.form == form, existing.failure == nil {
        self = .unchanged
        return
      }
      try Self.checkRoom(byteCount, gathered.standing)
      self = .save
    } catch {
      self = .refuse(error)
    }
  }

  private static func checkOwner(
    _ form: SubscriptionForm, _ identity: SessionIdentity, _ gathered: GatheredForSubscription
  ) throws(RecordsError) {
    guard !gathered.isRevoked else {
      throw RecordsError(.notAuthenticated, "This device was revoked.", reason: "revoked")
    }
    guard form.device == nil || form.device == identity.device else {
      throw RecordsError(
        .permissionFailure, "A subscription of one device is saved by that device.",
        hint: "Save it from there, or for all devices of the account.", field: "device")
    }
  }

  private static func checkZone(
    _ form: SubscriptionForm, _ identity: SessionIdentity, _ gathered: GatheredForSubscription
  ) throws(RecordsError) {
    guard let id = form.zone else { return }
    guard let zone = gathered.zone, !zone.isDeleted,
      Access(of: identity.account, in: zone, as: gathered.participation).allowsReading
    else {
      throw RecordsError(
        .zoneNotFound, "There is no zone \(id.name) here.",
        hint: "It was deleted, or is no longer shared with this account.", field: "zone")
    }
    let database = id.database(for: identity.account)
    guard form.database == database else {
      throw .invalid("Zone \(id.name) is in the \(database) database.", field: "database")
    }
  }

  private static func checkRoom(
    _ byteCount: Int, _ standing: GatheredForSubscription.Standing
  ) throws(RecordsError) {
    guard byteCount <= Limits.subscriptionBytes else {
      throw .limit("Bytes of a subscription", limit: Limits.subscriptionBytes, actual: byteCount)
    }
    guard standing.count < Limits.subscriptionsPerAccount else {
      throw RecordsError(
        .quotaExceeded,
        "The account has \(standing.count) subscriptions, and may have no more.",
        hint: "Delete those that are not needed.", reason: "subscriptions")
    }
    guard standing.accountBytes + byteCount <= Limits.subscriptionBytesPerAccount else {
      throw RecordsError(
        .quotaExceeded,
        "The account's subscriptions may have \(Limits.subscriptionBytesPerAccount) bytes "
          + "together; they have \(standing.accountBytes), and this one has \(byteCount).",
        hint: "Delete those that are not needed.", reason: "subscriptionBytes")
    }
    guard standing.allBytes + byteCount <= BrokerLimits.subscriptionBytes else {
      throw RecordsError(
        .quotaExceeded, "The broker has no room for more subscriptions.",
        hint: "Tell its administrator.", reason: "allSubscriptionBytes")
    }
  }
}

extension SubscriptionForm {
  /// The same with `.current` replaced by `account`: what the broker keeps and tells.
  package func resolved(for account: AccountID) -> SubscriptionForm {
    let resolved: Kind =
      switch kind {
      case .query(let type, let predicate, let zone):
        .query(type: type, predicate: predicate, zone: zone?.resolved(for: account))
      case .zone(let zone, let type): .zone(zone.resolved(for: account), type: type)
      case .database: kind
      }
    return SubscriptionForm(
      id: id, device: device, database: database, kind: resolved, options: options,
      firesOnce: firesOnce, includesOwnChanges: includesOwnChanges, notification: notification)
  }
}
