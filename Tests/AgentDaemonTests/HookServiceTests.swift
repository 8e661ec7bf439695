// What a command is told in its variables.

import Testing

@testable import AgentDaemon

@Suite("Commands of subscriptions")
struct HookServiceTests {
  @Test func `a variable holds no more than a process can be given, and no half character`() {
    #expect(HookService.cut("Ann") == "Ann")
    let most = HookService.variableBytesMax
    #expect(HookService.cut(String(repeating: "x", count: 1_000_000)).utf8.count == most)
    let odd = "x" + String(repeating: "é", count: most)
    #expect(HookService.cut(odd).utf8.count == most - 1)
    #expect(odd.hasPrefix(HookService.cut(odd)))
  }
}
