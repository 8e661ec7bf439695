// The accounts, zones and devices of a run.

import Crypto
import PredicateWorld
import Records
import RecordsWire

/// The accounts with their zones, made through one broker before any fault.
struct FleetPlan {
  /// A zone with the accounts that have it. The first one owns it.
  struct PlannedZone {
    let number: Int
    let owner: Int
    let participants: [Int]
    var id = ZoneID.standard

    var accounts: [Int] { [owner] + participants }
  }

  static let accountCount = 12
  static let zoneCount = 20
  static let deviceCount = 60

  private(set) var zones: [PlannedZone] = []
  /// The ids of the accounts, which removals need.
  private(set) var accounts: [AccountID] = []

  /// Chooses the zones.
  init(using generator: inout SeededGenerator) {
    for number in 0..<Self.zoneCount {
      let owner = number % Self.accountCount
      var others = Array(0..<Self.accountCount).filter { $0 != owner }
      others.shuffle(using: &generator)
      let count = number % 3 == 2 ? 0 : 2 + generator.below(3)
      zones.append(
        PlannedZone(number: number, owner: owner, participants: Array(others.prefix(count))))
    }
  }

  /// The account of a device.
  static func account(ofDevice number: Int) -> Int { number % accountCount }

  static func name(ofAccount number: Int) -> String { "account\(number)" }

  /// Returns the number of a zone.
  func number(of zone: ZoneID) -> Int? { zones.first { $0.id == zone }?.number }

  /// Makes the accounts, zones, shares and subscriptions through the broker at a socket.
  mutating func make(at socket: String) async throws {
    var people: [(device: WireDevice, client: WireClient)] = []
    for number in 0..<Self.accountCount {
      var device = WireDevice(account: Self.name(ofAccount: number))
      let client = try WireClient(socketPath: socket)
      let welcome = try await client.welcome(device.hello())
      device.id = welcome.device
      accounts.append(welcome.account)
      people.append((device, client))
    }
    for index in zones.indices {
      let zone = ZoneID(name: ZoneName(UInt128(index + 1)))
      zones[index].id = zone.resolved(for: accounts[zones[index].owner])
      try await people[zones[index].owner].device.perform(
        .saveZone(title: "Zone \(index)"), in: zone, over: people[zones[index].owner].client)
      try await share(zones[index], among: people.map(\.client))
    }
    for person in people {
      try await person.client.subscribeToNotes()
      person.client.close()
    }
  }

  private func share(_ zone: PlannedZone, among clients: [WireClient]) async throws {
    guard !zone.participants.isEmpty else { return }
    let secret = ShareSecret(.random(in: 0 ... .max))
    let form = ShareForm(
      publicPermission: .readWrite, link: LinkForm(digest: Array(SHA256.hash(data: secret.bytes))))
    try await clients[zone.owner].share(.create(zone.id, form))
    for participant in zone.participants { try await clients[participant].share(.accept(secret)) }
  }
}

extension WireClient {
  /// Subscribes the account to all its notes and those of others that are shared with it.
  fileprivate func subscribeToNotes() async throws {
    for database in [DatabaseScope.private, .shared] {
      let form = SubscriptionForm(
        id: SubscriptionID(stored: "\(database)"), database: database,
        kind: .database(type: RecordType(stored: "Note")), notification: NotificationForm())
      if let error = try await subscribe(form) { throw error }
    }
  }

  fileprivate func share(_ request: SharingRequest) async throws {
    let answer = try await ask(.share(request))
    guard case .shared = answer else { throw Unexpected(answer) }
  }
}
