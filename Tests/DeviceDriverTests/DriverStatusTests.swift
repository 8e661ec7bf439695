import DeviceStore
import Records
import SyncCore
import Testing

@testable import DeviceDriver

@Suite("J9 the status of a driver", .timeLimit(.minutes(5)))
struct DriverStatusTests {
  /// Runs `body` with the status of a device that works alone.
  private func withStatus(_ body: @Sendable (DriverStatus) throws -> Void) async throws {
    try await DrivenDevice.with("laptop") { try body(DriverStatus(reader: $0.driver.reader)) }
  }

  @Test func `a failure is new once, and forgotten when the device is live`() async throws {
    try await withStatus { status in
      let full = StoreError(.full, "Full.")
      #expect(status.fail(full))
      #expect(!status.fail(full))
      #expect(status.fail(StoreError(.disk, "Broken.")))
      #expect(status.enter(.connecting) == .offline)
      #expect(status.storeFailure?.kind == .disk)
      #expect(status.enter(.live) == .connecting)
      #expect(status.storeFailure == nil && status.connectionFailure == nil)
    }
  }

  @Test func `a broker that does not answer is remembered until it does, whatever the phase`()
    async throws
  {
    try await withStatus { status in
      let missing = Responsiveness.missing(since: Timestamp(microseconds: 5))
      #expect(status.enter(missing) == .prompt)
      _ = status.enter(Phase.connecting)
      #expect(status.responsiveness == missing)
      #expect(status.enter(Responsiveness.prompt) == missing)
    }
  }

  @Test func `a rejection of the public database is news until it changes`() async throws {
    try await withStatus { status in
      let error = RecordsError(.permissionFailure, "No.")
      status.publicReadingBegan()
      #expect(status.isReadingPublicRecords)
      #expect(status.publicReadingEnded(refusal: error))
      #expect(!status.publicReadingEnded(refusal: error))
      #expect(status.publicReadingRefusal == error && !status.isReadingPublicRecords)
      #expect(status.publicReadingEnded(refusal: nil))
    }
  }

  @Test func `the sentence about a full disk says what to do`() {
    #expect(StoreError(.full, "x").statusSentence.contains("Free some disk space"))
    #expect(StoreError(.damaged, "The file is damaged.").statusSentence.hasSuffix("damaged."))
  }
}
