// A client of TLS that resumes a session with a ticket from before its device was removed.

import Foundation
import GRDB
import Processes
import Records
import RecordsWire
import Testing

extension EndToEnd {
  @Suite("R2, R4 session tickets")
  struct SessionTicketTests {
    private static let openssl = "/usr/bin/openssl"

    @Test(.enabled(if: access(openssl, X_OK) == 0))
    func `a removed device that resumes its session is refused with a sentence`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let phone = try await broker.joined("phone")
      let hello = try hello(of: phone)
      _ = try await phone.stop()
      let before = try await talk(hello, to: broker, "-sess_out ticket.pem", in: phone.directory)
      #expect(!before.contains("Reused") && before.contains("desktop"), "\(before)")
      #expect(try await desktop.control("devices", "rm", "phone", "--yes").status == 0)
      let after = try await talk(hello, to: broker, "-sess_in ticket.pem", in: phone.directory)
      #expect(after.contains("Reused") && after.contains("was revoked"), "\(after)")
      #expect(!after.contains("desktop"), "\(after)")
    }

    /// The hello that a device sends, with the id and the key of its database.
    private func hello(of device: Device) throws -> [UInt8] {
      let queue = try DatabaseQueue(path: device.directory.file("state/contacts.sqlite"))
      let row = try #require(
        try queue.read { try Row.fetchOne($0, sql: "SELECT device, device_key FROM identity") })
      let (id, key): (Data, Data) = (row["device"], row["device_key"])
      let hello = Hello(
        version: ProtocolVersion.newest, container: "contacts", accountName: "ada",
        deviceName: "phone", device: DeviceID(bytes: Array(id)),
        deviceKey: Array(key), lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
      return ClientFrame(id: 1, message: .hello(hello)).framed
    }

    /// Sends a hello with openssl and returns what the broker says within two seconds.
    private func talk(
      _ hello: [UInt8], to broker: RemoteBroker, _ session: String, in directory: TemporaryDirectory
    ) async throws -> String {
      try Data(hello).write(to: URL(filePath: directory.file("hello")))
      let result = try await Device.run(
        "/bin/sh",
        [
          "-c",
          """
          cd '\(directory.path)'
          { cat hello; sleep 2; } | timeout 4 \(Self.openssl) s_client -connect \(broker.address) \
            -alpn contacts/1 \(session) | tr -cd '[:print:]'
          """,
        ])
      return result.output
    }
  }
}
