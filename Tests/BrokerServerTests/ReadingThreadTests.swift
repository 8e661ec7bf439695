// The threads on which the broker reads.

import BrokerCore
import BrokerStore
import Glibc
import NIOPosix
import Records
import Testing

@testable import BrokerServer

/// The priority of the thread that asks; a larger number is a lower one.
private func ownPriority() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }

@Suite("The broker's reading threads")
struct ReadingThreadTests {
  /// Returns the priority with which a thread reads.
  private func priority(givesWay: Bool) async throws -> Int32? {
    let (priorities, continuation) = AsyncStream<Int32>.makeStream()
    let thread = ReadingThread(
      store: try SQLiteRecordStore(), encode: Server.encode, report: { _ in },
      givesWay: givesWay,
      clock: {
        // A thread asks for the time just before it reads.
        continuation.yield(ownPriority())
        return BrokerClock.forQuery()
      })
    let identity = SessionIdentity(
      container: 1, account: AccountID(5), accountKey: 1, device: DeviceID(7), deviceKey: 1)
    thread.perform(
      .directory(identity, ConnectionID(1)), on: MultiThreadedEventLoopGroup.singleton.any()
    ) { _ in continuation.finish() }
    var found: Int32?
    for await priority in priorities { found = priority }
    try await thread.stop()
    return found
  }

  @Test(.enabled(if: ownPriority() < 19, "There is no lower priority."))
  func `long queries give way to other reads`() async throws {
    let other = ownPriority()
    #expect(try await priority(givesWay: false) == other)
    #expect(try await priority(givesWay: true) == min(other + 10, 19))
    #expect(ownPriority() == other)
  }
}
