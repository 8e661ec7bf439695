import Testing

@testable import DaemonKit

@Suite("I23, H1 who may use an agent's socket")
struct PeerRuleTests {
  private static let whole = "         0          0 4294967295\n"
  private static let user = "      1000       1000          1\n"

  private func admits(_ uid: UInt32, map: String, mode: UInt32) -> Bool {
    PeerRule(userID: 1000, userMap: map).admits(
      PeerCredentials(userID: uid, groupID: 1, processID: 1), mode: mode)
  }

  @Test(arguments: [whole, user], [0o140600, 0o140666] as [UInt32])
  func `the user and root may, and nobody else`(map: String, mode: UInt32) {
    #expect(admits(1000, map: map, mode: mode))
    #expect(admits(0, map: map, mode: mode))
    #expect(!admits(1001, map: map, mode: mode))
  }

  @Test func `a user without a mapping may only where root has none and the file keeps others out`()
  {
    let overflow = PeerCredentials.overflowUserID
    #expect(admits(overflow, map: Self.user, mode: 0o140600))
    #expect(!admits(overflow, map: Self.user, mode: 0o140660))
    #expect(!admits(overflow, map: Self.user, mode: 0o140602))
    #expect(!admits(overflow, map: Self.whole, mode: 0o140600))
    #expect(
      !admits(overflow, map: "0 1000 1\n", mode: 0o140600), "a namespace whose root is the user")
  }

  @Test func `an unknown mode admits nobody without a mapping`() {
    #expect(!admits(PeerCredentials.overflowUserID, map: Self.user, mode: .max))
    #expect(PeerRule.mode(ofSocket: -1) == .max)
  }
}
