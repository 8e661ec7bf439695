// The machines of a household, as containers with networks of their own: a server, and computers that reach it
// through a link each. The links exist only between the containers.

import Foundation
import Processes
import Records
import Testing

/// A server and two computers.
final class Household: Sendable {
  /// The household of the running suite.
  @TaskLocal static var current: Household?

  let server: Container
  let laptop: Container
  let desktop: Container

  /// A computer of the household, by the number of its link.
  enum Computer: Int, CaseIterable {
    case laptop = 1
    case desktop = 2

    /// The name of the server's end of the link.
    var link: String { "link\(rawValue)" }
    /// The computer's address.
    var address: String { "10.77.\(rawValue).2" }
    /// The server's address on this link.
    var serverAddress: String { "10.77.\(rawValue).1" }
    /// The computer's address after it has moved to another network.
    var movedAddress: String { "10.78.\(rawValue).2" }
    /// The server's address on that network.
    var movedServerAddress: String { "10.78.\(rawValue).1" }
    /// The other computer.
    var other: Computer { self == .laptop ? .desktop : .laptop }
  }

  init() async throws {
    async let server = Container()
    async let laptop = Container()
    async let desktop = Container()
    (self.server, self.laptop, self.desktop) = try await (server, laptop, desktop)
    for computer in Computer.allCases {
      try await container(of: computer).shell("hostname \(computer)")
      try await connect(computer)
    }
  }

  func container(of computer: Computer) -> Container {
    switch computer {
    case .laptop: laptop
    case .desktop: desktop
    }
  }

  /// Links a computer with the server, and names the server on it.
  private func connect(_ computer: Computer) async throws {
    let container = container(of: computer)
    let command = try RunningProgram(
      "/sbin/ip",
      [
        "link", "add", computer.link, "netns", try server.processID, "type", "veth", "peer", "name",
        "eth0", "netns", try container.processID,
      ])
    let status = try await command.end()
    try #require(status == 0, "\(command.standardError)")
    try await server.shell(
      """
      ip link set lo up
      ip address add \(computer.serverAddress)/24 dev \(computer.link)
      ip link set \(computer.link) up
      """)
    try await container.shell(
      """
      ip link set lo up
      ip address add \(computer.address)/24 dev eth0
      ip link set eth0 up
      echo '\(computer.serverAddress) server' >> /etc/hosts
      """)
  }

  func end() async throws {
    async let server: Void = server.end()
    async let laptop: Void = laptop.end()
    async let desktop: Void = desktop.end()
    _ = try await (server, laptop, desktop)
  }
}

/// Boots a household for a suite and powers it off afterwards.
struct HouseholdTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let household: Household
    do {
      household = try await Household()
    } catch {
      withKnownIssue("No containers boot here, so the page was not tried.") { throw error }
      return
    }
    try await Household.$current.withValue(household) { try await function() }
    try await household.end()
  }
}
