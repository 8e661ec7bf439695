import FoundationEssentials
import Records
import SwiftProtobuf

extension AccountRequest {
  init(_ wire: WireAccountOrder) throws(RecordsError) {
    switch wire.order {
    case .me: self = .me
    case .setDisplayName(let request):
      self = .setDisplayName(try validatedTitle(request.name, of: "a name"))
    case .setDiscoverable(let request): self = .setDiscoverable(request.isDiscoverable)
    case .look(let request):
      try checkCount(
        request.accounts.count, of: "Accounts of a request", limit: Limits.accountsPerPage)
      var accounts: [AccountID] = []
      for account in request.accounts { accounts.append(try AccountID(wire: account)) }
      self = .look(accounts)
    case .find(let request): self = .find(name: try validatedTitle(request.name, of: "a name"))
    case .discoverable(let request):
      self = .discoverable(after: try validatedTitle(request.after, of: "a name"))
    case nil: throw .unknownKind(of: "account request")
    }
  }

  var wire: WireAccountOrder {
    .with {
      switch self {
      case .me: $0.me = WireOwnProfile()
      case .setDisplayName(let name): $0.setDisplayName = .with { $0.name = name }
      case .setDiscoverable(let isDiscoverable):
        $0.setDiscoverable = .with { $0.isDiscoverable = isDiscoverable }
      case .look(let accounts): $0.look = .with { $0.accounts = accounts.map(\.wire) }
      case .find(let name): $0.find = .with { $0.name = name }
      case .discoverable(let after): $0.discoverable = .with { $0.after = after }
      }
    }
  }
}

extension AccountProfile {
  static func list(_ wire: [WireAccountProfile]) throws(RecordsError) -> [AccountProfile] {
    var profiles: [AccountProfile] = []
    profiles.reserveCapacity(wire.count)
    for profile in wire { profiles.append(try AccountProfile(profile)) }
    return profiles
  }

  private init(_ wire: WireAccountProfile) throws(RecordsError) {
    self.init(
      account: try AccountID(wire: wire.account),
      name: try checkedTitle(wire.name, of: "an account's name"),
      displayName: try checkedTitle(wire.displayName, of: "a name"),
      isDiscoverable: wire.isDiscoverable)
  }

  var wire: WireAccountProfile {
    .with {
      $0.account = account.wire
      $0.name = name
      $0.displayName = displayName
      $0.isDiscoverable = isDiscoverable
    }
  }
}
