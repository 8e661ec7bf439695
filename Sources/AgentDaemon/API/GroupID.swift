import Records

/// A group's id in JSON, paths and queries.
enum GroupID {
  /// Returns the zone's name; for a zone of another owner, the owner, a period and the name. Unlike a slash,
  /// a period needs no escaping in a path.
  static func text(_ zone: ZoneID) -> String {
    zone.owner == .current ? zone.name.description : "\(zone.owner).\(zone.name)"
  }

  /// Returns the zone that `text` names, whether it is on this device or not.
  static func zone(_ text: some StringProtocol) -> ZoneID? {
    let parts = text.split(
      separator: "." as Character, omittingEmptySubsequences: false
    ).map { String($0) }
    guard let last = parts.last, parts.count <= 2, let name = ZoneName(last) else { return nil }
    guard parts.count == 2 else { return ZoneID(name: name) }
    return AccountID(parts[0]).map { ZoneID(owner: $0, name: name) }
  }
}
