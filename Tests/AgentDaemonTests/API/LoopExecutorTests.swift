import Glibc
import Testing

@testable import AgentDaemon

@Suite("Tasks on event loops")
struct LoopExecutorTests {
  /// The priority of the thread that asks; a larger number is a lower one.
  private static func priority() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }

  @Test func `the background gives way to other threads`() async {
    let other = await Task(executorPreference: globalConcurrentExecutor) { Self.priority() }.value
    let background = await Task(executorPreference: LoopExecutor.background) {
      await Task.yield()
      return Self.priority()
    }.value
    #expect(background == min(19, other + 5))
    let after = await Task(executorPreference: globalConcurrentExecutor) { Self.priority() }.value
    #expect(after == other)
  }
}
