// What a store hands the planners: the rows a request concerns, as they stand inside the
// transaction at that request. Keys are the store's own and mean nothing here.

import Records

/// A row's key in the store; opaque to every decision.
package typealias StoreKey = Int64

/// Who a session speaks for, once it has signed in.
package struct SessionIdentity: Hashable, Sendable {
  /// The application's namespace.
  package let container: StoreKey
  /// The person.
  package let account: AccountID
  /// The person's row.
  package let accountKey: StoreKey
  /// The person's device.
  package let device: DeviceID
  /// How often the device's key was changed before it signed in, since the broker started.
  package let keyGeneration: Int
  /// The device's row.
  package let deviceKey: StoreKey

  /// Names who a session speaks for.
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

/// A zone as the store has it.
package struct StoredZone: Hashable, Sendable {
  /// Its row; `nil` for a zone that the plan at hand creates.
  package var key: StoreKey?
  /// The zone, its owner named.
  package let id: ZoneID
  /// Its title.
  package var title: String
  /// Its present history.
  package let incarnation: Incarnation
  /// The history that it continues, if a backup was restored.
  package var former: FormerHistory?
  /// The revision of its newest change.
  package var head: Revision
  /// The highest revision whose tombstone was reaped.
  package let reapedThrough: Revision
  /// Whether it was deleted.
  package var isDeleted: Bool
  /// What was deleted at or below this revision is erased.
  package var erasedThrough = Revision.zero

  /// A zone's row.
  package init(
    key: StoreKey?, id: ZoneID, title: String, incarnation: Incarnation, head: Revision,
    reapedThrough: Revision, isDeleted: Bool
  ) {
    self.key = key
    self.id = id
    self.title = title
    self.incarnation = incarnation
    self.head = head
    self.reapedThrough = reapedThrough
    self.isDeleted = isDeleted
  }
}

/// The number of a device's newest request that had an outcome, and what is kept of earlier ones.
package struct StoredNumbers: Hashable, Sendable {
  /// The last number with an outcome.
  package let last: RequestNumber
  /// Outcomes up to here were forgotten.
  package let acknowledged: RequestNumber
  /// The outcome kept for the number that the request at hand has, if there is one.
  package let outcome: StoredOutcome?
  /// Whether the device was revoked, or its account disabled.
  package let isRevoked: Bool

  /// A device's numbers.
  package init(
    last: RequestNumber, acknowledged: RequestNumber, outcome: StoredOutcome?, isRevoked: Bool
  ) {
    self.last = last
    self.acknowledged = acknowledged
    self.outcome = outcome
    self.isRevoked = isRevoked
  }
}

/// A request's outcome, kept until the device acknowledges it.
package struct StoredOutcome: Hashable, Sendable {
  /// The digest of the request it belongs to.
  package let fingerprint: UInt128
  /// What came of it.
  package let outcome: ModifyOutcome

  /// A kept outcome.
  package init(fingerprint: UInt128, outcome: ModifyOutcome) {
    self.fingerprint = fingerprint
    self.outcome = outcome
  }
}

/// Everything a modify request concerns.
package struct GatheredForModify: Sendable {
  /// The device's numbers.
  package let numbers: StoredNumbers
  /// The zones that exist of those the request names.
  package let zones: [ZoneID: StoredZone]
  /// The records that exist of those the request names, tombstones included.
  package let records: [RecordID: Change]
  /// The assets that may be named; `nil` when the request names none.
  package let assets: GatheredAssets?
  /// What the account is to those zones that are others'.
  package let participations: [ZoneID: StoredParticipation]
  /// What it may do in the public database.
  package let publicRights: PublicRights
  /// Its zones, where the request may make one.
  package let zoneCounts: ZoneCounts
  /// How the records stand that its saves refer to; `nil` while that takes too long to find out.
  package let references: GatheredReferences?
  /// The usage of the accounts that are charged for the request's saves.
  package let usages: [AccountID: AccountUsage]
  /// The bytes of the records that were read. Above `Limits.storedBytesPerRequest` the rest was not
  /// read.
  package var storedBytes = 0

  /// What was gathered.
  package init(
    numbers: StoredNumbers, zones: [ZoneID: StoredZone], records: [RecordID: Change],
    assets: GatheredAssets? = nil, participations: [ZoneID: StoredParticipation] = [:],
    publicRights: PublicRights = PublicRights(), zoneCounts: ZoneCounts = ZoneCounts(),
    references: GatheredReferences? = .nothing, usages: [AccountID: AccountUsage] = [:]
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
