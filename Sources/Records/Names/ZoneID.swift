// A zone is the unit of sharing, atomic commits and synchronization. A contact group is a zone. Its
// title is part of the directory, so renaming a group changes no record.

/// A zone, identified by its owner and its name. The session determines the container.
package struct ZoneID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The account that owns the zone; `.current` for the requesting account.
  package let owner: AccountID
  /// The zone's name among its owner's zones.
  package let name: ZoneName

  package init(owner: AccountID = .current, name: ZoneName) {
    self.owner = owner
    self.name = name
  }

  /// The standard zone of the requesting account, which exists without being created.
  package static let standard = ZoneID(name: .standard)

  /// The only zone of the public database.
  package static let `public` = ZoneID(owner: .public, name: .standard)

  /// Whether the zone is in the public database, where permissions apply to records instead of the
  /// zone.
  package var isPublic: Bool { owner == .public }

  /// Returns the database of `account` that contains the zone. The owner must not be `.current`.
  package func database(for account: AccountID) -> DatabaseScope {
    if isPublic { return .public }
    return owner == account ? .private : .shared
  }

  /// Returns the zone with `.current` replaced by `account`, the form the broker uses.
  package func resolved(for account: AccountID) -> ZoneID {
    owner == .current ? ZoneID(owner: account, name: name) : self
  }

  /// Returns the zone with `account` replaced by `.current`, the form a device uses.
  package func relative(to account: AccountID) -> ZoneID {
    owner == account ? ZoneID(name: name) : self
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.owner, left.name) < (right.owner, right.name)
  }

  package var description: String {
    owner == .current ? name.description : "\(owner)/\(name)"
  }
}

/// A record, identified by its zone and its name.
package struct RecordID: Hashable, Sendable, CustomStringConvertible {
  /// The record's zone, which never changes.
  package let zone: ZoneID
  /// The record's name in the zone.
  package let name: RecordName

  package init(zone: ZoneID, name: RecordName) {
    self.zone = zone
    self.name = name
  }

  /// Hashes the name alone, for speed: a request looks up many records, and names rarely repeat. A
  /// name can repeat only in different zones.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }

  package var description: String { "\(zone)/\(name)" }
}
