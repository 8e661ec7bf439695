import Records
import Testing

@testable import AgentDaemon

@Suite("what starts once")
struct SharedStartTests {
  private struct Failure: Error {}

  private actor Counter {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  @Test func `callers at the same time get the same start`() async throws {
    let shared = SharedStart<Int>()
    let counter = Counter()
    let values = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for _ in 0..<20 {
        tasks.addTask {
          try await shared.value { await counter.next() }
        }
      }
      return try await tasks.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(values == [1])
    #expect(await shared.end() == 1)
  }

  @Test func `after a failure the next caller tries again, and after the end none does`()
    async throws
  {
    let shared = SharedStart<Int>()
    await #expect(throws: Failure.self) { try await shared.value { throw Failure() } }
    #expect(try await shared.value { 2 } == 2)
    _ = await shared.end()
    let error = await #expect(throws: RecordsError.self) { try await shared.value { 3 } }
    #expect(error?.code == .serviceUnavailable)
    #expect(await SharedStart<Int>().end() == nil)
  }
}
