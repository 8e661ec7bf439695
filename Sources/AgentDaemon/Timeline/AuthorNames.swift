// The names of the authors of posts. The broker reveals the names of discoverable accounts. Its answers,
// including empty ones, are cached for a while, so that a list of a thousand posts asks once.

import DeviceDriver
import NIOCore
import Records
import SyncCore

/// The names of other accounts.
actor AuthorNames {
  /// The maximum number of cached names; beyond it the cache is emptied.
  private static let rememberedMaximum = 10_000
  /// How long an answer is valid, because people may change their names.
  private static let answerMinutes: Int64 = 10
  /// How long a list waits for names.
  private static let askSeconds = 2.0

  private var answers: [AccountID: (name: String?, until: NIODeadline)] = [:]

  /// Returns the names of accounts, without those that are not discoverable.
  func names(of accounts: [AccountID], asking driver: ReplicaDriver) async -> [AccountID: String] {
    let now = NIODeadline.now()
    let unknown = accounts.filter { answers[$0].map { $0.until < now } ?? true }.sorted()
    for start in stride(from: 0, to: unknown.count, by: Limits.accountsPerPage) {
      let page = Array(unknown[start...].prefix(Limits.accountsPerPage))
      // Without a broker, answers contain ids in place of names.
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
