import NIOCore
import NIOPosix
import SyncCore
import Synchronization
import Testing

@testable import DeviceDriver

@Suite("the schedule of a driver", .timeLimit(.minutes(5)))
struct DriverScheduleTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  /// Waits until the loop has run everything that was due within 20 ms. It runs tasks in the order of their times.
  private func settle() async throws {
    try await loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
  }

  @Test func `a timer that is set again replaces the former one`() async throws {
    let fired = Mutex<[Int]>([])
    // On the loop, so that no timer fires between two calls.
    try await loop.submit { [loop] in
      var schedule = DriverSchedule(loop: loop)
      schedule.set(.reconnect, milliseconds: 5) { fired.withLock { $0.append(1) } }
      schedule.set(.reconnect, milliseconds: 5) { fired.withLock { $0.append(2) } }
      schedule.set(.heartbeat, milliseconds: 10) { fired.withLock { $0.append(3) } }
    }.get()
    try await settle()
    #expect(fired.withLock { $0 } == [2, 3])
  }

  @Test func `after its end nothing runs, and no timer can be set`() async throws {
    let count = Mutex(0)
    let isEnded = try await loop.submit { [loop] in
      var schedule = DriverSchedule(loop: loop)
      schedule.set(.reconnect, milliseconds: 10) { count.withLock { $0 += 1 } }
      schedule.addRepeated(after: .milliseconds(10), every: .milliseconds(1)) {
        count.withLock { $0 += 1 }
      }
      schedule.end()
      schedule.set(.heartbeat, milliseconds: 1) { count.withLock { $0 += 1 } }
      return schedule.isEnded
    }.get()
    try await settle()
    #expect(isEnded && count.withLock { $0 } == 0)
  }
}
