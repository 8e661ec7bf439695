// A client of TLS that resumes a session with a ticket from before its device was removed.

import Processes
import Testing

extension EndToEnd {
  @Suite("R2, R4 session tickets")
  struct SessionTicketTests {
    @Test(.enabled(if: OpenSSLClient.isInstalled))
    func `a removed device that resumes its session is refused with a sentence`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let phone = try await broker.joined("phone")
      let thief = try OpenSSLClient(of: phone)
      _ = try await phone.stop()
      let before = try await thief.talk(to: broker, "-sess_out ticket.pem")
      #expect(!before.contains("Reused") && before.contains("desktop"), "\(before)")
      #expect(try await desktop.control("devices", "rm", "phone", "--yes").status == 0)
      let after = try await thief.talk(to: broker, "-sess_in ticket.pem")
      #expect(after.contains("Reused") && after.contains("was revoked"), "\(after)")
      #expect(!after.contains("desktop"), "\(after)")
      try await broker.logs("request refused", "code=notAuthenticated", "reason=revoked")
    }
  }
}
