import Records
import SyncCore
import Testing

@testable import AgentDaemon

@Suite("K1 how an account stands")
struct AccountStatusTests {
  private static let account = AccountID(7)

  private static func refused(_ code: RecordsError.Code, _ reason: String?) -> Phase {
    .refused(RecordsError(code, "No.", reason: reason))
  }

  @Test(
    arguments: [
      (Phase.live, account, ProfileStatus.available), (.catchingUp, account, .available),
      (.offline, account, .temporarilyUnavailable), (.connecting, account, .temporarilyUnavailable),
      (.offline, nil, .couldNotDetermine), (.connecting, nil, .couldNotDetermine),
      (refused(.notAuthenticated, "noAccount"), nil, .noAccount),
      (refused(.notAuthenticated, "signedOut"), nil, .noAccount),
      (refused(.notAuthenticated, "disabled"), account, .restricted),
      (refused(.notAuthenticated, "revoked"), account, .restricted),
      (refused(.notAuthenticated, "wrongKey"), account, .restricted),
      (refused(.permissionFailure, "otherAccount"), account, .restricted),
      (refused(.incompatibleVersion, nil), account, .restricted),
    ] as [(Phase, AccountID?, ProfileStatus)])
  func `each way to stand with the broker is one of the five states`(
    phase: Phase, account: AccountID?, status: ProfileStatus
  ) {
    #expect(ProfileStatus(phase, account: account) == status)
  }

  @Test func `each account state has its own description`() {
    let states: [ProfileStatus] = [
      .available, .noAccount, .restricted, .couldNotDetermine, .temporarilyUnavailable,
    ]
    #expect(Set(states.map(\.sentence)).count == states.count)
    #expect(states.allSatisfy { $0.sentence.hasSuffix(".") })
  }
}
