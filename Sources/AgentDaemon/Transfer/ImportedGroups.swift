// The groups that a file names for its contacts. A contact goes into the account's own group of that title, which is
// created when its first contact is added. An import never adds a contact to a group that others can see, unless
// the user chose that group: a file must not decide what other people read. Every batch looks at the groups again,
// because a group may be shared, renamed or deleted during a long import.

import AddressBook
import DeviceStore
import Records

/// What an import has done about the groups that its file names, for all of its batches.
struct ImportedGroups: Sendable {
  /// The maximum number of groups that one import creates: half of those that an account can have. A column with more
  /// different titles is unlikely to contain groups.
  static let madeMaximum = Limits.zonesPerAccount / 2
  /// The maximum number of titles that are reported, because each one is remembered.
  static let reportedMaximum = 1_000

  /// The titles of the groups that were created, in order; in a dry run of those that would be.
  private(set) var made: [String] = []
  private var reported: Set<String> = []

  /// Notes that the group was created.
  mutating func note(made title: String) {
    if !made.contains(title) { made.append(title) }
  }

  /// Returns the sentence for a title whose contacts go into the default group, once for each title.
  mutating func sentence(for title: String, reason: String) -> String? {
    guard reported.count <= Self.reportedMaximum, reported.insert(Self.beginning(title)).inserted
    else { return nil }
    guard reported.count <= Self.reportedMaximum else {
      return "Further groups of the file cannot be used either; their contacts go to “Contacts”."
    }
    let shown = title.unicodeScalars.prefix(200).filter {
      $0.properties.generalCategory != .control
    }
    let beginning = String(String(String.UnicodeScalarView(shown)).prefix(40))
    return "The contacts of the group “\(beginning)” go to “Contacts”. \(reason)"
  }

  /// The part of a title that is remembered, because a file may contain titles of any length.
  private static func beginning(_ title: String) -> String {
    String(decoding: title.utf8.prefix(Limits.titleBytes + 1), as: UTF8.self)
  }
}

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
      return .refused(error.message)
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
