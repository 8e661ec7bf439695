// Both programs must agree on where the socket is.

import Testing

@testable import ControlCommands

@Suite("agent address")
struct AgentAddressTests {
  func path(
    agent: String? = nil, device: String? = nil, _ environment: [String: String] = [:]
  ) throws -> String {
    try AgentAddress(agent: agent, device: device, environment: environment, userID: 7).path
  }

  @Test func `a flag wins over the environment, which wins over the default`() throws {
    let environment = ["CONTACTSD_SOCKET": "/s", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(try path(agent: "/a", environment) == "/a")
    #expect(try path(device: "phone", environment) == "/run/user/7/contactsd/phone.sock")
    #expect(try path(environment) == "/s")
    #expect(try path(["XDG_RUNTIME_DIR": "/r"]) == "/r/contactsd/contactsd.sock")
    #expect(try path() == "/run/user/7/contactsd/contactsd.sock")
  }

  @Test(arguments: ["", "a/b", ".", "../x"])
  func `a device's name cannot lead elsewhere`(name: String) {
    let error = #expect(throws: ControlFailure.self) { try path(device: name) }
    #expect(error?.exitCode == .usage)
  }

  @Test func `a path that is too long for a socket is rejected, not truncated`() {
    #expect(throws: ControlFailure.self) { try path(agent: String(repeating: "a", count: 108)) }
    #expect(throws: Never.self) { try path(agent: String(repeating: "a", count: 107)) }
  }
}
