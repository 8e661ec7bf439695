// The names of accounts that share no group with this one, such as authors of public records.

import DeviceStore
import Records
import SyncCore

extension ReplicaDriver {
  /// Requests the names of accounts from the broker, which reveals those of discoverable accounts, and stores them.
  /// - Throws: as `request`. The names that arrived before are stored.
  package nonisolated func lookUpNames(
    of accounts: [AccountID], waitSeconds: Double = requestSeconds
  ) async throws {
    for start in stride(from: 0, to: accounts.count, by: Limits.accountsPerPage) {
      let page = Array(accounts[start...].prefix(Limits.accountsPerPage))
      guard
        case .accounts(let profiles, _) = try await request(
          .account(.look(page)), waitSeconds: waitSeconds)
      else { return }
      await store(profiles, of: page)
    }
  }

  private func store(_ profiles: [AccountProfile], of accounts: [AccountID]) {
    act { now in
      try replica.keepNames(profiles, of: accounts, now: now)
      return []
    }
    status.discardIdentity()
  }
}
