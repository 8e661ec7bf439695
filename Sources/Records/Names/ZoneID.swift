// A zone is the unit of sharing, of atomic writes and of catching up. A contact group is a zone;
// its title is a field of the directory, so renaming a group touches no record.

/// A zone, by its owner and its name among the owner's zones. The container is the session's.
package struct ZoneID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Whose zone it is; `.current` for the account that is asking.
  package let owner: AccountID
  /// Which of the owner's zones.
  package let name: ZoneName

  /// Names a zone of `owner`.
  package init(owner: AccountID = .current, name: ZoneName) {
    self.owner = owner
    self.name = name
  }

  /// The zone the asking account has without making it.
  package static let standard = ZoneID(name: .standard)

  /// The one zone of the public database.
  package static let `public` = ZoneID(owner: .public, name: .standard)

  /// Whether it is in the public database, where rights belong to records and not to the zone.
  package var isPublic: Bool { owner == .public }

  /// Which of the databases of `account` the zone is in; its owner is named.
  package func database(for account: AccountID) -> DatabaseScope {
    if isPublic { return .public }
    return owner == account ? .private : .shared
  }

  /// The same zone with `.current` replaced by `account`: what a broker works with.
  package func resolved(for account: AccountID) -> ZoneID {
    owner == .current ? ZoneID(owner: account, name: name) : self
  }

  /// The same zone with `account` replaced by `.current`: what a device works with.
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

/// A record, by its zone and its name in that zone.
package struct RecordID: Hashable, Sendable, CustomStringConvertible {
  /// The zone the record lives in; a record never changes zone under its name.
  package let zone: ZoneID
  /// Its name there.
  package let name: RecordName

  /// Names a record.
  package init(zone: ZoneID, name: RecordName) {
    self.zone = zone
    self.name = name
  }

  /// By the name alone: nearly always it tells records apart, and a request's many records are looked up
  /// by it. The same name in each of an account's zones is as much as can meet.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }

  package var description: String { "\(zone)/\(name)" }
}
