import BrokerClient

/// The program of the page about sharing. One user shares the list of dishes for a picnic by a link; other users
/// accept the link and add dishes. Each value is one device of one user.
struct ZoneSharing {
  /// The device.
  let container: Container

  // MARK: The user who invites

  /// Shares a new list with every user that has the returned link.
  func share(_ title: String) async throws -> ShareLink {
    let zone = try await container.privateDatabase.save(Zone(title: title))
    // The broker never has the link's secret. A program that must not lose the link draws it with
    // `newShareLink()` and saves it before this call.
    let share = try await container.privateDatabase.createShare(
      of: zone.id, publicPermission: .readWrite)
    guard let link = share.link else { throw SharingProblem.noLink }
    return link
  }

  /// Takes the permission to write from everyone else: from users who accept the link later, and from
  /// participants.
  func makeReadOnly() async throws {
    let zone = try await zone().id
    let database = container.privateDatabase
    let share = try await database.setPublicPermission(.readOnly, of: zone)
    for var participant in share.participants where participant.role == .member {
      guard participant.acceptanceStatus == .accepted else { continue }
      participant.permission = .readOnly
      try await database.save(participant, in: zone)
    }
  }

  /// Ends the sharing of the list at once. The user keeps the list and all dishes.
  func stopSharing() async throws {
    try await container.privateDatabase.stopSharing(try await zone().id)
  }

  // MARK: The users who are invited

  /// Returns what the program shows to the user before the user accepts a link.
  func preview(_ link: ShareLink) async throws -> String {
    let metadata = try await container.shareMetadata(for: link)
    let action = metadata.permission == .readWrite ? "add to" : "see"
    return "\(metadata.owner.displayName) lets you \(action) “\(metadata.title)”."
  }

  /// Accepts a link. The list is then in the user's shared database.
  func accept(_ link: ShareLink) async throws {
    try await container.accept(link)
  }

  /// Leaves the list.
  func leave() async throws {
    try await container.sharedDatabase.leaveShare(of: try await zone().id)
  }

  // MARK: Everyone

  /// Adds a dish to the list.
  func add(_ dish: String) async throws {
    let zone = try await zone()
    try await database(of: zone.id).save(
      Record(
        recordType: "Dish", id: .random(in: zone.id), fields: ["name": .string(dish)]))
  }

  /// Returns the dishes, each with the name of the user that brings it.
  func dishes() async throws -> [String] {
    let zone = try await zone()
    let query = Query(
      recordType: "Dish", sortDescriptors: [Query.SortDescriptor(key: "name")])
    var dishes: [Record] = []
    for try await dish in database(of: zone.id).allRecords(matching: query, inZone: zone.id) {
      dishes.append(dish)
    }
    let users = try await container.userIdentities(for: dishes.compactMap(\.creatorUserID))
    return dishes.map { dish in
      let user = dish.creatorUserID.flatMap { users[$0]?.displayName } ?? "a former participant"
      return "\(dish["name"]?.string ?? "?"), brought by \(user)"
    }
  }

  /// Returns the user's own list, or the one that another user shares with it.
  private func zone() async throws -> Zone {
    for database in [container.privateDatabase, container.sharedDatabase] {
      let zones = try await database.allZones()
      if let zone = zones.first(where: { $0.id != .standard }) { return zone }
    }
    throw SharingProblem.noList
  }

  private func database(of zone: ZoneID) -> Database {
    zone.isOwn ? container.privateDatabase : container.sharedDatabase
  }
}

/// Why the program cannot do what it was asked to.
enum SharingProblem: Error, CustomStringConvertible {
  case noList, noLink

  var description: String {
    switch self {
    case .noList: "You have no list. Share one, or accept a link."
    case .noLink: "The share's link is already revoked. Renew it."
    }
  }
}
