// Two people and three devices: Alice has a laptop and a phone, Bob a tablet. Alice has a group that
// she shares.

import Foundation
import Processes
import Records
import Testing

/// Alice, Bob, and the broker between them.
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

  /// A group of Alice's with one contact, Cora, whose id is returned.
  func rowing() async throws -> String {
    try await laptop.does("group", "add", "Rowing")
    let id = try await laptop.does("add", "--first", "Cora", "--group", "Rowing")
    try await laptop.settles()
    return id
  }

  /// Shares the group with whoever has the link, and lets Bob in. Returns the link.
  @discardableResult
  func share(_ permission: String) async throws -> String {
    let link = try await laptop.does("share", "Rowing", "--anyone", permission)
    try await tablet.does("accept", link, "--yes")
    return link
  }
}

extension Device {
  /// Runs `contactsctl`, expects that it does what it is told, and returns what it printed, without
  /// the last line's end.
  @discardableResult
  func does(_ arguments: String..., at place: SourceLocation = #_sourceLocation)
    async throws -> String
  {
    let said = try await Self.said("contactsctl", ["--agent", socketPath] + arguments)
    #expect(said.status == 0, "\(arguments): \(said.error)", sourceLocation: place)
    return said.output.trimmingCharacters(in: .newlines)
  }

  /// Runs `contactsctl` and expects this exit code, and a sentence with these words.
  func fails(
    _ status: Int32, _ words: String, _ arguments: String...,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let said = try await Self.said("contactsctl", ["--agent", socketPath] + arguments)
    #expect(said.status == status, "\(arguments): \(said.error)", sourceLocation: place)
    #expect(said.error.contains(words), "\(said.error)", sourceLocation: place)
  }

  /// Waits until it shows the one contact of this first name, and returns the id that it has here:
  /// the owner of a group and its participants see different ids.
  func id(of firstName: String) async throws -> String {
    try await Patience.wait(for: "\(firstName) on \(name)") {
      try await requests.contacts().first { $0.firstName == firstName }?.id
    }
  }

  /// The titles of its groups, in order.
  func groups() async throws -> [String] {
    try await control("group", "list").rows.map { $0[1] }
  }

  /// Waits until it has a group of this title, or has it no more.
  func has(_ title: String, _ isThere: Bool = true) async throws {
    try await Patience.wait(until: "\(title) on \(name): \(isThere)") {
      try await groups().contains(title) == isThere
    }
  }

  /// Waits until a command prints something in which these words stand.
  func prints(_ words: String, _ arguments: String...) async throws {
    try await Patience.wait(until: "“\(words)” of \(arguments) on \(name)") {
      try await Self.said("contactsctl", ["--agent", socketPath] + arguments).output
        .contains(words)
    }
  }

  /// Whether this stands in any file of its state.
  func stores(_ text: String) throws -> Bool {
    let state = URL(filePath: directory.file("state"))
    let files = FileManager.default.enumerator(at: state, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      let bytes = try? Data(contentsOf: file)
      if bytes?.firstRange(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}
