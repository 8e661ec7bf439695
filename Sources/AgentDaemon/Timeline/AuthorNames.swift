// The names of those who post. The broker tells the names of who lets itself be found; what it said is
// remembered for a while, also that it said nothing, so that a list of a thousand posts asks once.

import DeviceDriver
import NIOCore
import Records
import SyncCore

/// What others are called.
actor AuthorNames {
  /// More are forgotten, all of them, and asked for again.
  private static let rememberedMaximum = 10_000
  /// How long an answer counts: a person may change its name.
  private static let answerMinutes: Int64 = 10
  /// Who only wants to look does not wait for long.
  private static let askSeconds = 2.0

  private var answers: [AccountID: (name: String?, until: NIODeadline)] = [:]

  /// The names of accounts, without those that may not be known.
  func names(of accounts: [AccountID], asking driver: ReplicaDriver) async -> [AccountID: String] {
    let now = NIODeadline.now()
    let unknown = accounts.filter { answers[$0].map { $0.until < now } ?? true }.sorted()
    for start in stride(from: 0, to: unknown.count, by: Limits.accountsPerPage) {
      let page = Array(unknown[start...].prefix(Limits.accountsPerPage))
      // Without a broker they go by their ids.
      guard
        case .accounts(let profiles, _)? = try? await driver.request(
          .account(.look(page)), waitSeconds: Self.askSeconds)
      else { break }
      if answers.count > Self.rememberedMaximum { answers = [:] }
      let until = NIODeadline.now() + .minutes(Self.answerMinutes)
      for account in page { answers[account] = (nil, until) }
      for profile in profiles { answers[profile.account] = (profile.displayName, until) }
    }
    return Dictionary(
      uniqueKeysWithValues: accounts.compactMap { account in
        answers[account]?.name.map { (account, $0) }
      })
  }
}
