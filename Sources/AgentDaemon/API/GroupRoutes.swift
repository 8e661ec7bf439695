// Groups of contacts. Each is a zone, and its title an entry of the directory.

import AddressBook
import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore

extension AgentRoutes {
  func addGroupRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.groups.route) { _, _ in try list() }
    router.post(AgentPath.groups.route) { request, _ in try await create(request) }
    router.patch(AgentPath.group().route) { request, context in
      try await rename(id(context), request)
    }
    router.delete(AgentPath.group().route) { request, context in
      try await delete(id(context), request)
    }
  }

  private func list() throws -> Response {
    let who = try identity()
    return try .json(GroupsView(groups: reader.groups().map { GroupItem($0, who: who) }))
  }

  private func create(_ request: Request) async throws -> Response {
    let title = try GroupTitle.checked(try await body(request, as: GroupForm.self).title)
    let (zone, action) = try await driver.edit { replica, now in
      try Self.requireFree(title, in: replica.reader)
      var generator = SystemRandomNumberGenerator()
      let zone = ZoneID(name: .random(using: &generator))
      let done = try replica.perform(
        [.createZone(zone, title: title)], as: UserAction(), now: now)
      return ((zone, done.action), done.actions)
    }
    return try response(to: zone, status: .created).undone(by: action)
  }

  private func rename(_ id: String, _ request: Request) async throws -> Response {
    let zone = try Self.changeable(try zone(id))
    let title = try GroupTitle.checked(try await body(request, as: GroupForm.self).title)
    let action = try await driver.edit { replica, now in
      try Self.requireFree(title, for: zone, in: replica.reader)
      return try replica.perform(
        [.renameZone(zone, title: title)], as: UserAction(), now: now)
    }
    return try response(to: zone).undone(by: action)
  }

  private func delete(_ id: String, _ request: Request) async throws -> Response {
    let group = try zone(id)
    let zone = try Self.changeable(group)
    let isAsked = try request.flag(AgentQuery.acknowledged)
    let isKeeping: Bool
    switch request.parameter(AgentQuery.contacts) {
    case nil, "keep": isKeeping = true
    case "delete": isKeeping = false
    default:
      throw RecordsError.invalid("contacts must be keep or delete.", field: AgentQuery.contacts)
    }
    let standard = try self.zone(GroupID.text(.standard))
    let action = UserAction(continuing: try Self.continuedAction(request))
    try await waitForContacts(of: zone)
    let number = try await driver.edit { replica, now in
      // Contacts that are not on this device yet could be neither seen nor kept.
      guard !replica.zonesBeingRead.contains(zone) else { throw Self.isBeingRead(group) }
      let kept = isKeeping ? try Self.contacts(in: zone, replica.reader) : []
      return try Self.moving(kept, to: standard, in: replica.reader) {
        try replica.perform(
          kept.flatMap { Self.move($0, as: $0.fields, to: .standard) } + [.deleteZone(zone)],
          as: action, isAsked: isAsked, now: now)
      }
    }
    return .done(undoneBy: number)
  }

  /// Waits for the contacts of a new or newly shared group, which arrive within moments.
  private func waitForContacts(of zone: ZoneID) async throws {
    let isBeingRead = try await driver.edit { replica, _ in
      (replica.zonesBeingRead.contains(zone), [])
    }
    guard isBeingRead, driver.phase == .live || driver.phase == .catchingUp else { return }
    try? await step(seconds: 5)
  }

  private static func isBeingRead(_ group: GroupView) -> RecordsError {
    RecordsError(
      .serviceUnavailable,
      "Not all contacts of “\(group.displayTitle)” are on this device yet.",
      hint: "Try again when contactsctl status says live.", retryAfterSeconds: 5)
  }

  private static func contacts(
    in zone: ZoneID, _ reader: DeviceReader
  ) throws -> [RecordView] {
    try reader.records(in: zone).filter { $0.type == ContactRecord.type }
  }

  func response(to zone: ZoneID, status: HTTPResponse.Status = .ok) throws -> Response {
    guard let group = try reader.groups().first(where: { $0.zone == zone }) else {
      throw RecordsError(.zoneNotFound, "The group was deleted in the meantime.")
    }
    return try .json(SingleView(GroupItem(group, who: identity())), status: status)
  }

  private static func changeable(_ group: GroupView) throws -> ZoneID {
    guard group.zone != .standard else {
      throw RecordsError(
        .permissionFailure, "The default group cannot be renamed or deleted.")
    }
    return group.zone
  }

  /// Rejects the title of an existing group, because commands could not distinguish the two. Devices that are
  /// offline, and other owners, may still choose the same title.
  private static func requireFree(
    _ title: String, for zone: ZoneID? = nil, in reader: DeviceReader
  ) throws {
    let groups = try reader.groups()
    guard let taken = groups.first(where: { $0.displayTitle == title && $0.zone != zone })
    else { return }
    let owner =
      taken.zone.owner == .current ? "" : " that \(taken.ownerDisplayName) shares with you"
    throw RecordsError(
      .constraintViolation, "There is already a group “\(title)”\(owner); nothing was changed.",
      hint: "Choose another title. The id of that group is \(GroupID.text(taken.zone)).",
      field: "title", reason: "taken")
  }
}

extension GroupItem {
  /// Creates the JSON of a group, with the names that `who` knows.
  init(_ group: GroupView, who: Identity) {
    let isOwn = group.zone.owner == .current
    self.init(
      id: GroupID.text(group.zone), title: group.displayTitle, role: "\(group.role)",
      writable: group.isWritable, permission: group.isWritable ? "readWrite" : "readOnly",
      owner: isOwn ? who.accountName ?? "" : group.ownerName,
      ownerDisplayName: isOwn ? who.displayName(of: nil) : group.ownerDisplayName,
      shared: group.isShared, contacts: group.contacts, synced: group.isSynced)
  }
}
