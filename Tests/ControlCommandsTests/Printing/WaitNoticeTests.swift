import Records
import Synchronization
import Testing

@testable import ControlCommands

@Suite("notices while a command waits")
struct WaitNoticeTests {
  private final class Screen: Sendable {
    private let texts = Mutex<[String]>([])
    var shown: [String] { texts.withLock { $0 } }
    func show(_ text: String) { texts.withLock { $0.append(text) } }
  }

  @Test func `a command that waits says for what, and removes the notice at the end`()
    async throws
  {
    let screen = Screen()
    let notice = WaitNotice(text: "Waiting", delay: .zero) { screen.show($0) }
    let result = try await notice.during { () async throws(ControlFailure) in
      while screen.shown.isEmpty { await Task.yield() }
      return 7
    }
    #expect(result == 7)
    #expect(screen.shown == ["Waiting", ""])
  }

  @Test func `a command that is answered at once, or fails, says nothing`() async {
    let screen = Screen()
    let notice = WaitNotice(text: "Waiting", delay: .seconds(600)) { screen.show($0) }
    await #expect(throws: ControlFailure.self) {
      try await notice.during { () async throws(ControlFailure) -> Int in
        throw .error(.serviceUnavailable, "Not now.")
      }
    }
    #expect(screen.shown == [""])
  }
}
