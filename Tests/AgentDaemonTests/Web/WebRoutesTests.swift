// The operations of the web page, compared with all of the interface: a new operation needs a decision.

import Foundation
import Testing

@testable import AgentDaemon

@Suite("W5 operations of the web page")
struct WebRoutesTests {
  /// The operations that the page cannot use.
  private static let refused: Set<String> = [
    // Decide about the account and its keys, or replace the contacts of the device.
    "POST /v1/signin", "POST /v1/signout", "POST /v1/invitation",
    // Run commands.
    "GET /v1/subscriptions", "POST /v1/subscriptions", "GET /v1/subscriptions/{id}",
    "DELETE /v1/subscriptions/{id}",
    // Show paths of this machine. The page has the four settings that it needs.
    "GET /v1/settings", "GET /v1/settings/{id}", "PUT /v1/settings/{id}",
    "DELETE /v1/settings/{id}",
    // The page has one stream for everything.
    "GET /v1/events", "GET /v1/notifications/events",
    // Decide who learns the account's name.
    "GET /v1/permissions", "GET /v1/permissions/{id}", "PUT /v1/permissions/{id}",
    // Let a page prolong its own rights.
    "POST /v1/web/open",
    // Let other programs in.
    "GET /v1/dav", "POST /v1/dav/passwords", "DELETE /v1/dav/passwords/{id}",
  ]

  private func described() throws -> Set<String> {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let page = try String(
      contentsOf: root.appending(path: "docs/openapi.yaml"), encoding: .utf8)
    var operations: Set<String> = []
    var path = ""
    for line in page.split(separator: "\n") {
      if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
      let word = line.dropFirst(4)
      let isMethod = ["get:", "put:", "post:", "delete:", "patch:"].contains(word)
      if line.hasPrefix("    "), isMethod {
        operations.insert("\(word.dropLast().uppercased()) \(path)")
      }
    }
    return operations
  }

  @Test func `every operation of the agent is either open to the page or refused`() throws {
    let described = try described()
    try #require(described.count > 80)
    let ownSettings = WebRoutes.settings.map { "/v1/settings/\($0.rawValue)" }
    let open = Set(
      WebRoutes.all.filter { !ownSettings.contains($0.path) }.map { "\($0.method) \($0.path)" })
    #expect(described.subtracting(open).subtracting(Self.refused) == [], "decide about these")
    #expect(open.subtracting(described) == [], "not in the interface")
    #expect(Self.refused.subtracting(described) == [], "not in the interface")
    #expect(open.intersection(Self.refused) == [])
  }

  @Test func `the special operations are among the open ones`() {
    #expect(WebRoutes.pictures.isSubset(of: WebRoutes.all))
    #expect(WebRoutes.afterOpening.isSubset(of: WebRoutes.all))
    #expect(WebRoutes.pictures.allSatisfy { $0.method == "GET" })
  }

  @Test(arguments: [
    ("PUT", "/v1/settings/album"), ("PUT", "/v1/settings/web"), ("GET", "/v1/settings/state"),
    ("POST", "/v1/subscriptions"), ("POST", "/v1/%73ubscriptions"), ("POST", "/v1/signout"),
    ("POST", "//v1//subscriptions/"), ("PUT", "/v1/settings/%61lbum"), ("POST", "/v1/web/open"),
    ("get", "/v1/contacts"), ("GET", "/v1/contacts/../subscriptions"), ("GET", "/v1"), ("GET", ""),
  ])
  func `other spellings of a path open nothing`(method: String, path: String) {
    #expect(WebRoutes.route(method, path) == nil)
  }

  @Test func `a path with a fixed word is not taken for an id`() {
    #expect(
      WebRoutes.route("POST", "/v1/devices/invitation")?.path == "/v1/devices/invitation")
    #expect(WebRoutes.route("DELETE", "/v1/devices/17")?.path == "/v1/devices/{id}")
    #expect(WebRoutes.route("PUT", "/v1/settings/sort")?.path == "/v1/settings/sort")
  }
}
