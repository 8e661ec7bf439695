import Records
import Testing

@testable import BrokerClient

@Suite("K7 the account's status")
struct AccountStatusTests {
  @Test(arguments: [
    ("noAccount", AccountStatus.noAccount), ("revoked", .restricted), ("disabled", .restricted),
    ("wrongKey", .restricted),
  ])
  func `a rejected sign-in tells a missing account from a blocked device`(
    reason: String, status: AccountStatus
  ) {
    let error = RecordsError(.notAuthenticated, "No.", reason: reason)
    #expect(AccountStatus(error) == status)
  }
}
