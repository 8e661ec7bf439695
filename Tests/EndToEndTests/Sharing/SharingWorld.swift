// Two people and three devices: Alice has a laptop and a phone, Bob a tablet. Alice shares a group.

import Foundation
import Processes
import Records
import Testing

/// Alice, Bob and their broker.
struct SharingWorld {
  let broker: RunningBroker
  let laptop: Device
  let phone: Device
  let tablet: Device

  init() async throws {
    broker = try await RunningBroker()
    laptop = try await Device("laptop", brokerPath: broker.socketPath)
    phone = try await Device("phone", brokerPath: broker.socketPath)
    tablet = try await Device("tablet", account: "bob", brokerPath: broker.socketPath)
    for device in devices { try await device.settles() }
  }

  var devices: [Device] { [laptop, phone, tablet] }

  /// Creates a group of Alice's with one contact, Cora, whose id it returns.
  func rowing() async throws -> String {
    try await laptop.does("group", "add", "Rowing")
    let id = try await laptop.does("add", "--first", "Cora", "--group", "Rowing")
    try await laptop.settles()
    return id
  }

  /// Shares the group with anyone who has the link, and lets Bob join. Returns the link.
  @discardableResult
  func share(_ permission: String) async throws -> String {
    let link = try await laptop.does("share", "Rowing", "--anyone", permission)
    try await tablet.does("accept", link, "--yes")
    return link
  }
}
