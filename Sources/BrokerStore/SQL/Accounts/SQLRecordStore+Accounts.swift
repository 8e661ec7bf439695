import BrokerCore
import Records
import SQLConnections

extension SQLRecordStore {
  package func accounts(
    _ request: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], isWhole: Bool) {
    try reading { try AccountProfiles(db: $0, identity: identity).answer(request) }
  }

  package func directory(of identity: SessionIdentity) throws -> DirectoryPage {
    try reading { db in
      try DirectoryTable(db: db).page(
        container: identity.container, account: identity.accountKey, after: .zero)
    }
  }
}
