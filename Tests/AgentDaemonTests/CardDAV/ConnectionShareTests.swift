import Testing

@testable import AgentDaemon

@Suite("D4 connections of other machines")
struct ConnectionShareTests {
  @Test func `a machine with many connections leaves those of others alone`() {
    let share = ConnectionShare(maximum: 2)
    #expect(share.enter("10.0.0.1") && share.enter("10.0.0.1"))
    #expect(!share.enter("10.0.0.1"))
    #expect(share.enter("10.0.0.2"))
    share.leave("10.0.0.1")
    #expect(share.enter("10.0.0.1"))
    #expect(!share.enter("10.0.0.1"))
  }
}
