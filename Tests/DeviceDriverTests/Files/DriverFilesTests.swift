// Files that travel between devices with their own drivers.

import AssetFiles
import BrokerClientTesting
import NIOCore
import Processes
import Records
import Testing

@testable import DeviceDriver
@testable import DeviceStore

@Suite("I19 the driver's files", .timeLimit(.minutes(5)))
struct DriverFilesTests {
  private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  /// Stores a file and a record that refers to it.
  private func save(_ content: [UInt8], on device: DrivenDevice) async throws -> Asset {
    let buffers = AsyncStream<ByteBuffer> { continuation in
      for start in stride(from: 0, to: content.count, by: 64_000) {
        continuation.yield(ByteBuffer(bytes: content[start...].prefix(64_000)))
      }
      continuation.finish()
    }
    return try await device.driver.saveFile(
      buffers,
      limit: UploadLimit(
        expectedByteCount: content.count, byteCountMaximum: 1 << 20,
        tooLarge: RecordsError(.limitExceeded, "The file is too large.")),
      check: { part in
        guard part.byteCount > 0 else { throw RecordsError.invalid("The file is empty.") }
        return part.byteCount
      },
      edit: { replica, now, asset, byteCount in
        #expect(byteCount == asset.byteCount)
        let save = DrivenDevice.save("a", ["picture": .asset(asset)])
        return (asset, try replica.edit([.keepAsset(asset), save], now: now))
      })
  }

  @Test func `a file that one device stores is downloaded by the other when it is opened`()
    async throws
  {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        let asset = try await save(Self.content, on: laptop)
        try await DrivenDevice.with("phone", broker: broker.address) { phone in
          try await Patience.wait(until: "the record") {
            try phone.driver.reader.record(DrivenDevice.id("a")) != nil
          }
          #expect(!phone.driver.files.disk.holds(asset))
          let byteCount = try await phone.driver.open(asset, in: .standard, waitSeconds: 60)
          #expect(byteCount == Self.content.count)
          let bytes = try await phone.driver.files.bytes(
            of: asset.id, from: 0, count: byteCount)
          #expect(bytes == Self.content)
        }
      }
    }
  }

  @Test func `a damaged file is downloaded again`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        let asset = try await save(Self.content, on: laptop)
        #expect(try await laptop.driver.synchronize(waitSeconds: 60))
        laptop.driver.files.disk.remove(asset.id)
        #expect(try await laptop.driver.open(asset, in: .standard) == Self.content.count)
      }
    }
  }

  @Test func `a file that cannot be downloaded in time is an error`() async throws {
    try await DrivenDevice.with("laptop") { device in
      let error = await #expect(throws: RecordsError.self) {
        try await device.driver.open(Asset(of: [1]), in: .standard, waitSeconds: 0)
      }
      #expect(error?.code == .serviceUnavailable)
    }
  }

  @Test func `a file that arrived after its caller had looked is not waited for`() async throws {
    try await DrivenDevice.with("laptop") { device in
      let asset = try await save(Self.content, on: device)
      #expect(try await device.driver.beginDownload(asset, in: .standard) == nil)
      let missing = try await device.driver.beginDownload(Asset(of: [1]), in: .standard)
      #expect(missing != nil)
    }
  }

  @Test func `a file that is rejected leaves nothing on the disk`() async throws {
    try await DrivenDevice.with("laptop") { device in
      let tooLarge = [UInt8](repeating: 1, count: (1 << 20) + 1)
      for content in [[], tooLarge] {
        let error = await #expect(throws: RecordsError.self) {
          try await save(content, on: device)
        }
        #expect(error?.code == (content.isEmpty ? .invalidArguments : .limitExceeded))
      }
      // The thread of the files works in order, so the deletions are done after this.
      await device.driver.release(try await device.driver.files.save([1]))
      let disk = device.driver.files.disk
      #expect(disk.parts(prefix: "").isEmpty)
      #expect((UInt8.min...UInt8.max).allSatisfy { disk.unpinned(inDirectory: $0).isEmpty })
    }
  }
}
