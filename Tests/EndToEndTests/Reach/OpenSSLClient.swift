// A client that is no agent: it sends the hello of a device with openssl, as a thief of its key would.

import Foundation
import GRDB
import Glibc
import Processes
import Records
import RecordsWire
import Testing

/// Says hello over TLS and shows what the broker answers.
struct OpenSSLClient {
  static let program = "/usr/bin/openssl"
  static let isInstalled = access(program, X_OK) == 0

  private let directory: TemporaryDirectory
  /// The frame that the client sends.
  let hello: [UInt8]

  /// Reads the id and the key of a device, which may run.
  init(of device: Device) throws {
    let queue = try DatabaseQueue(path: device.directory.file("state/contacts.sqlite"))
    let row = try #require(
      try queue.read { try Row.fetchOne($0, sql: "SELECT device, device_key FROM identity") })
    let (id, key): (Data, Data) = (row["device"], row["device_key"])
    let hello = Hello(
      version: ProtocolVersion.newest, container: "contacts", accountName: "ada",
      deviceName: "phone", device: DeviceID(bytes: Array(id)),
      deviceKey: Array(key), lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
    self.hello = ClientFrame(id: 1, message: .hello(hello)).framed
    directory = try TemporaryDirectory()
  }

  /// Sends the hello and returns what the broker says within two seconds, without what cannot be printed.
  /// - Parameters:
  ///   - options: more options of `openssl s_client`.
  ///   - part: the bytes of the hello that are sent first; the rest follows a second later.
  func talk(
    to broker: RemoteBroker, _ options: String = "", sendingFirst part: Int? = nil
  ) async throws -> String {
    try directory.write(hello, to: "hello")
    let input =
      part.map { "head -c \($0) hello; sleep 1; tail -c +\($0 + 1) hello" } ?? "cat hello"
    let result = try await Device.run(
      "/bin/sh",
      [
        "-c",
        """
        cd '\(directory.path)'
        { \(input); sleep 2; } | timeout 5 \(Self.program) s_client -connect \(broker.address) \
          -alpn contacts/1 \(options) | tr -cd '[:print:]'
        """,
      ])
    return result.output
  }
}
