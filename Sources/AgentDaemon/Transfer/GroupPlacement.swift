// Where the contacts of an import go. A contact goes into the account's own group of the title that its file names,
// which is created when its first contact is added. An import never adds a contact to a group that others can see,
// unless the user chose that group: a file must not decide what other people read. Every batch looks at the groups
// again, because a group may be shared, renamed or deleted during a long import.

import AddressBook
import AgentStore
import DeviceStore
import Records

/// Finds the group for each contact of a batch.
struct GroupPlacement {
  /// Where a contact with a certain title belongs.
  enum Place: Hashable {
    /// In this group.
    case present(ZoneID)
    /// In a group of this title, which does not exist yet.
    case new(title: String)
    /// In the default group, for the reason in the sentence.
    case refused(String)

    /// The group; `nil` if it does not exist yet.
    var zone: ZoneID? {
      switch self {
      case .present(let zone): zone
      case .new: nil
      case .refused: .standard
      }
    }
  }

  private let titles: [String: [GroupView]]
  private let zones: [ZoneID: String]
  /// The groups that this batch creates.
  private var added: [String: ZoneID] = [:]

  /// Looks among the account's `groups`.
  init(_ groups: [GroupView]) {
    titles = Dictionary(grouping: groups, by: \.displayTitle)
    zones = Dictionary(groups.map { ($0.zone, $0.displayTitle) }) { first, _ in first }
  }

  /// Returns the title of a group; `nil` if it was not among the groups.
  func title(of zone: ZoneID) -> String? { zones[zone] }

  /// Returns the place for contacts whose file names the group `title`; empty for the default group.
  func place(titled title: String, in groups: ImportedGroups) -> Place {
    guard !title.isEmpty else { return .present(.standard) }
    do throws(RecordsError) {
      let title = try GroupTitle.checked(title)
      if let zone = added[title] { return .present(zone) }
      let found = titles[title] ?? []
      let own = found.first { $0.zone == .standard || ($0.zone.owner == .current && !$0.isShared) }
      if let own { return .present(own.zone) }
      guard found.isEmpty else {
        return .refused(
          "Others can see the group of that title. To put them there: contactsctl import --group")
      }
      return Self.isFull(zones.count + added.count, title, groups).map { .refused($0) }
        ?? .new(title: title)
    } catch {
      return .refused(error.forUsers.message)
    }
  }

  /// Returns the reason why no group can be created; `nil` if one can.
  private static func isFull(
    _ groupCount: Int, _ title: String, _ groups: ImportedGroups
  ) -> String? {
    if groups.made.count >= ImportedGroups.madeMaximum, !groups.made.contains(title) {
      return "One import creates at most \(ImportedGroups.madeMaximum) groups."
    }
    guard groupCount >= Limits.zonesPerAccount else { return nil }
    return "An account has at most \(Limits.zonesPerAccount) groups."
  }

  /// Returns the edit that creates the group `title` with a new id, and its id.
  mutating func create(_ title: String) -> (zone: ZoneID, edit: LocalEdit) {
    var generator = SystemRandomNumberGenerator()
    let zone = ZoneID(name: .random(using: &generator))
    added[title] = zone
    return (zone, .createZone(zone, title: title))
  }
}
