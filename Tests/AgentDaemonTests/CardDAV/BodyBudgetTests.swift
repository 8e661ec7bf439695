import Testing

@testable import AgentDaemon

@Suite("D4 the bytes of all bodies")
struct BodyBudgetTests {
  @Test func `bodies that do not fit wait outside, and fit again after others have ended`() {
    let budget = BodyBudget(maximumBytes: 10)
    #expect(budget.enter(bytes: 6) && budget.enter(bytes: 4))
    #expect(!budget.enter(bytes: 1) && budget.enter(bytes: 0))
    budget.leave(bytes: 4)
    #expect(!budget.enter(bytes: 5) && budget.enter(bytes: 4))
  }
}
