import Records
import Testing

@testable import BrokerPostgreSQL
@testable import BrokerStore

@Suite("Failed attempts to connect")
struct RecentFailureTests {
  private let error = StoreError(.unreachable, "No server answers.")

  /// Tries to connect. Returns the error, and whether it was tried at all.
  private func attempt(_ recent: RecentFailure) -> (StoreError?, isTried: Bool) {
    var isTried = false
    let found = #expect(throws: StoreError.self) {
      try recent.attempt { () throws(StoreError) -> Void in
        isTried = true
        throw error
      }
    }
    return (found, isTried)
  }

  @Test func `after a failure, others fail at once for a while`() {
    let recent = RecentFailure(pause: .seconds(3600))
    #expect(attempt(recent) == (error, isTried: true))
    for _ in 0..<3 { #expect(attempt(recent) == (error, isTried: false)) }
    recent.forget()
    #expect(attempt(recent) == (error, isTried: true))
  }

  @Test func `after the pause the next attempt is made`() throws {
    let recent = RecentFailure(pause: .zero)
    #expect(attempt(recent) == (error, isTried: true))
    #expect(attempt(recent) == (error, isTried: true))
    #expect(try recent.attempt { 7 } == 7)
  }
}
