import BrokerClientTesting
import Foundation
import OfflineClient
import Processes

/// Two devices, and a broker that a test stops and starts under them.
struct DevicePair {
  let laptop: OfflineContainer
  let phone: OfflineContainer
  private let storage: LocalBroker.Storage

  /// Runs `body` with two devices that `open` opens, each with a file in the directory. The broker is not running.
  static func with(
    open: (_ file: String, _ broker: BrokerAddress, _ device: String) async throws
      -> OfflineContainer,
    _ body: (DevicePair) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let storage = try LocalBroker.Storage()
    let laptop = try await open(directory.file("laptop.sqlite"), storage.address, "laptop")
    let phone = try await open(directory.file("phone.sqlite"), storage.address, "phone")
    do {
      try await body(DevicePair(laptop: laptop, phone: phone, storage: storage))
    } catch {
      try? await laptop.close()
      try? await phone.close()
      throw error
    }
    try await laptop.close()
    try await phone.close()
  }

  /// Runs the broker until both devices have each other's changes and `body` has returned.
  func connected(_ body: () async throws -> Void = {}) async throws {
    try await LocalBroker.run(on: storage) { _ in
      try await exchange()
      try await body()
    }
  }

  /// Waits until the broker and both devices have all changes.
  func exchange() async throws {
    // The second call on the laptop receives what the phone has sent.
    for device in [laptop, phone, laptop] { try await Self.synchronize(device) }
  }

  /// Waits until the broker and a device have each other's changes.
  static func synchronize(_ device: OfflineContainer) async throws {
    guard try await device.synchronize(waitSeconds: 120) else { throw NotSynchronized() }
  }

  /// A device did not reach the broker in two minutes.
  struct NotSynchronized: Error {}
}
