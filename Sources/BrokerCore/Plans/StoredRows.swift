// The rows that a store reads for the planners, inside the transaction that applies the plan.

import Records

/// The key of a row. Only the store gives it a meaning.
package typealias StoreKey = Int64

/// The account and device that a session has signed in as.
package struct SessionIdentity: Hashable, Sendable {
  /// The row of the container.
  package let container: StoreKey
  /// The account.
  package let account: AccountID
  /// The account's row.
  package let accountKey: StoreKey
  /// The device.
  package let device: DeviceID
  /// How many times the device's key had been replaced, since the broker started, when the session signed
  /// in.
  package let keyGeneration: Int
  /// The device's row.
  package let deviceKey: StoreKey

  package init(
    container: StoreKey, account: AccountID, accountKey: StoreKey, device: DeviceID,
    deviceKey: StoreKey, keyGeneration: Int = 0
  ) {
    self.keyGeneration = keyGeneration
    self.container = container
    self.account = account
    self.accountKey = accountKey
    self.device = device
    self.deviceKey = deviceKey
  }
}

/// A zone's row.
package struct StoredZone: Hashable, Sendable {
  /// The key of the row; `nil` for a zone that the current plan creates.
  package var key: StoreKey?
  /// The zone's id, with an explicit owner.
  package let id: ZoneID
  /// The title, at most `Limits.titleBytes` long.
  package var title: String
  /// The revision of the title: above the zone's at the time, and above that of every earlier title.
  package var titleRevision = Revision.zero
  /// How often it was deleted and restored.
  package var restorations = 0
  /// The incarnation of its current history.
  package var incarnation: Incarnation
  /// The history that this one continues after a restore from a backup, or after the zone was deleted and restored.
  package var former: FormerHistory?
  /// The ended histories that this one continues.
  package var lineage: Lineage { former?.lineage ?? Lineage() }
  /// The present history, with those that it continues.
  package var history: ZoneHistory { ZoneHistory(incarnation, lineage) }
  /// The revision of the zone's newest change.
  package var head: Revision
  /// The highest revision whose tombstone has expired and was removed.
  package let expiredThrough: Revision
  /// Whether the zone was deleted. Its row remains, so that its id cannot be used again.
  package var isDeleted: Bool
  /// When the zone was deleted, while its records are kept and its owner can restore it; `nil` otherwise.
  package var deletedAt: Timestamp?
  /// The number of records, of a deleted zone only; 0 for any other.
  package var recordCount = 0
  /// Records deleted at or below this revision have been erased from the trash.
  package var erasedThrough = Revision.zero

  package init(
    key: StoreKey?, id: ZoneID, title: String, incarnation: Incarnation, head: Revision,
    expiredThrough: Revision, isDeleted: Bool
  ) {
    self.key = key
    self.id = id
    self.title = title
    self.incarnation = incarnation
    self.head = head
    self.expiredThrough = expiredThrough
    self.isDeleted = isDeleted
  }
}

/// The request numbers and the stored outcome of a device.
package struct StoredNumbers: Hashable, Sendable {
  /// The number of the newest request with an outcome.
  package let last: RequestNumber
  /// The number up to which the device acknowledged outcomes; they are no longer stored.
  package let acknowledged: RequestNumber
  /// The stored outcome for the number of the current request, if there is one.
  package let outcome: StoredOutcome?
  /// Whether the device was revoked or its account disabled.
  package let isRevoked: Bool

  package init(
    last: RequestNumber, acknowledged: RequestNumber, outcome: StoredOutcome?, isRevoked: Bool
  ) {
    self.last = last
    self.acknowledged = acknowledged
    self.outcome = outcome
    self.isRevoked = isRevoked
  }
}

/// The outcome of a request, stored until the device acknowledges it.
package struct StoredOutcome: Hashable, Sendable {
  /// The digest of the request.
  package let fingerprint: UInt128
  /// The outcome.
  package let outcome: ModifyOutcome

  package init(fingerprint: UInt128, outcome: ModifyOutcome) {
    self.fingerprint = fingerprint
    self.outcome = outcome
  }
}

/// The stored rows that a modify request concerns.
package struct ModifyRows: Sendable {
  /// The device's request numbers.
  package let numbers: StoredNumbers
  /// The zones that exist, of those that the request names.
  package let zones: [ZoneID: StoredZone]
  /// The records that exist, of those that the request names; tombstones included.
  package let records: [RecordID: Change]
  /// The assets that records may name; `nil` if the request names none.
  package let assets: AvailableAssets?
  /// The account's rows in the shares of other accounts' zones.
  package let participations: [ZoneID: StoredParticipation]
  /// The rights on records of the public database.
  package let publicRights: PublicRights
  /// The account's zones; only counted if the request may create one.
  package let zoneCounts: ZoneCounts
  /// The records that the request's saves refer to; `nil` if looking them up would take too long.
  package let references: ReferenceTargets?
  /// The usage of the accounts that are charged for the request's saves.
  package let usages: [AccountID: AccountUsage]
  /// The changes that the author of a conditional deletion has not received, by zone.
  package var unseenChanges: [ZoneID: UnseenChanges] = [:]
  /// The revision at which a zone begins that the request creates.
  package var newZoneHead = Revision.zero
  /// The total bytes of the records that were read. Reading stops above `Limits.storedBytesPerRequest`.
  package var storedBytes = 0

  package init(
    numbers: StoredNumbers, zones: [ZoneID: StoredZone], records: [RecordID: Change],
    assets: AvailableAssets? = nil, participations: [ZoneID: StoredParticipation] = [:],
    publicRights: PublicRights = PublicRights(), zoneCounts: ZoneCounts = ZoneCounts(),
    references: ReferenceTargets? = .nothing, usages: [AccountID: AccountUsage] = [:]
  ) {
    self.usages = usages
    self.zoneCounts = zoneCounts
    self.references = references
    self.participations = participations
    self.publicRights = publicRights
    self.numbers = numbers
    self.zones = zones
    self.records = records
    self.assets = assets
  }
}
