import BrokerClientTesting
import Foundation
import OfflineClient
import Testing

/// A temporary directory with the files of devices; deleted with this value.
final class DeviceDirectory: Sendable {
  private let url: URL

  init() throws {
    url = URL(filePath: "/tmp/offline-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The configuration of a device.
  func configuration(
    _ device: String, account: String = "ada", broker: BrokerAddress? = nil
  ) -> OfflineConfiguration {
    var configuration = OfflineConfiguration(
      name: "notes", file: url.appending(path: "\(device).sqlite").path, broker: broker,
      deviceName: device)
    configuration.accountName = account
    configuration.indexes = ["Note.folder"]
    configuration.titleFields = ["Note": "text"]
    return configuration
  }

  /// Opens a device.
  func open(
    _ device: String, account: String = "ada", broker: BrokerAddress? = nil
  ) async throws -> OfflineContainer {
    try await OfflineContainer.open(configuration(device, account: account, broker: broker))
  }
}

/// Waits until `condition` holds, up to ten seconds.
func eventually(
  _ condition: () async throws -> Bool, _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<1_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record(
    comment ?? "The condition did not hold within ten seconds.", sourceLocation: sourceLocation)
}

extension OfflineContainer {
  /// The notes by text.
  func notes() throws -> [String] {
    try records(
      matching: Query(recordType: "Note", sortDescriptors: [Query.SortDescriptor(key: "text")])
    ).compactMap { $0["text"]?.string }
  }

  /// Synchronizes, or fails the test.
  func synced(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(try await synchronize(), sourceLocation: sourceLocation)
  }
}
