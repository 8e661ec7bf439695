// A clicked link in the terminal window that the desktop opens for it.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("clicked links")
  struct ClickedLinkTests {
    private func click(_ link: String, on device: Device) throws -> TerminalSession {
      try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["accept", "--hold", "--", link],
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
    }

    @Test(arguments: ["contacts-device:ABCDE@localhost:7799", "contacts://join/x", "--yes"])
    func `the window stays open until Enter, and the error code is kept`(
      link: String
    ) async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let terminal = try click(link, on: device)
      try await terminal.shows("Press Enter to close this window.")
      terminal.type("\n")
      let status = try await terminal.end()
      #expect(status == 65, "\(terminal.shown)")
      // The agent goes on trying to connect. A link that was accepted would have changed its account.
      let state = try await device.requests.status().state
      #expect(["connecting", "offline"].contains(state), "\(state)")
    }
  }
}
