// Decides whether a subscription may be saved. The transaction checks what can change at any time: the
// device's permissions, access to the zone, and quotas. The predicate was validated before.

import ByteCounts
import Records

/// The stored rows that saving a subscription depends on.
package struct SubscriptionRows: Sendable {
  /// Whether the device was revoked or its account disabled.
  package let isRevoked: Bool
  /// The subscription stored under the same id.
  package let existing: SubscriptionState?
  /// The zone that the subscription names, if it exists.
  package let zone: StoredZone?
  /// The account's row in the zone's share, if the zone belongs to another account.
  package let participation: StoredParticipation?
  /// The storage that subscriptions use, without the one stored under the same id.
  package let usage: Usage

  /// The number and size of stored subscriptions.
  package struct Usage: Hashable, Sendable {
    /// The number of the account's subscriptions.
    package var count: Int
    /// The bytes of the account's subscriptions.
    package var accountBytes: Int
    /// The bytes of all accounts' subscriptions.
    package var allBytes: Int

    package init(count: Int = 0, accountBytes: Int = 0, allBytes: Int = 0) {
      self.count = count
      self.accountBytes = accountBytes
      self.allBytes = allBytes
    }
  }

  package init(
    isRevoked: Bool, existing: SubscriptionState?, zone: StoredZone?, usage: Usage,
    participation: StoredParticipation? = nil
  ) {
    self.participation = participation
    self.isRevoked = isRevoked
    self.existing = existing
    self.zone = zone
    self.usage = usage
  }
}

/// The outcome of saving a subscription.
package enum SubscriptionPlan: Hashable, Sendable {
  /// Store it in place of the subscription with the same id.
  case save
  /// An identical subscription is stored already.
  case unchanged
  /// Store nothing.
  case refuse(RecordsError)

  /// Decides whether to save `form`, which has `byteCount` bytes and whose zone names its owner.
  package init(
    _ form: SubscriptionForm, byteCount: Int, of identity: SessionIdentity,
    gathered: SubscriptionRows
  ) {
    do throws(RecordsError) {
      try Self.checkOwner(form, identity, gathered)
      try Self.checkZone(form, identity, gathered)
      if let existing = gathered.existing, existing.form == form, existing.failure == nil {
        self = .unchanged
        return
      }
      try Self.checkRoom(byteCount, gathered.usage)
      self = .save
    } catch {
      self = .refuse(error)
    }
  }

  private static func checkOwner(
    _ form: SubscriptionForm, _ identity: SessionIdentity, _ gathered: SubscriptionRows
  ) throws(RecordsError) {
    guard !gathered.isRevoked else {
      throw RecordsError(.notAuthenticated, "This device was revoked.", reason: "revoked")
    }
    guard form.device == nil || form.device == identity.device else {
      throw RecordsError(
        .permissionFailure, "A subscription for one device must be saved by that device.",
        hint: "Save it on that device, or for all devices of the account.", field: "device")
    }
  }

  private static func checkZone(
    _ form: SubscriptionForm, _ identity: SessionIdentity, _ gathered: SubscriptionRows
  ) throws(RecordsError) {
    guard let id = form.zone else { return }
    guard let zone = gathered.zone, !zone.isDeleted,
      Access(of: identity.account, in: zone, as: gathered.participation).allowsReading
    else {
      throw RecordsError(
        .zoneNotFound, "The zone \(id.name) does not exist.",
        hint: "It was deleted, or is no longer shared with this account.", field: "zone",
        reason: "noSuchZone")
    }
    let database = id.database(for: identity.account)
    guard form.database == database else {
      throw .invalid("Zone \(id.name) is in the \(database) database.", field: "database")
    }
  }

  private static func checkRoom(
    _ byteCount: Int, _ usage: SubscriptionRows.Usage
  ) throws(RecordsError) {
    guard byteCount <= Limits.subscriptionBytes else {
      throw .limit("Bytes of a subscription", limit: Limits.subscriptionBytes, actual: byteCount)
    }
    guard usage.count < Limits.subscriptionsPerAccount else {
      throw RecordsError(
        .quotaExceeded,
        "This account has reached its limit of \(usage.count) subscriptions.",
        hint: "Delete subscriptions that are not needed.", reason: "subscriptions")
    }
    guard usage.accountBytes + byteCount <= Limits.subscriptionBytesPerAccount else {
      throw RecordsError(
        .quotaExceeded,
        "The account's subscriptions can have "
          + "\(ByteCount(Limits.subscriptionBytesPerAccount).limit) in total; the others have "
          + "\(ByteCount(usage.accountBytes)), and this one has \(ByteCount(byteCount)).",
        hint: "Delete subscriptions that are not needed.", reason: "subscriptionBytes")
    }
    guard usage.allBytes + byteCount <= BrokerLimits.subscriptionBytes else {
      throw RecordsError(
        .quotaExceeded, "The broker has no room for more subscriptions.",
        hint: "Ask its administrator.", reason: "allSubscriptionBytes")
    }
  }
}

extension SubscriptionForm {
  /// Returns a copy that names `account` in place of `.current`, as the broker stores and sends it.
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
