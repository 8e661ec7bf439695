// What is asked about accounts, and who they are.

import FoundationEssentials
import Records
import SwiftProtobuf

extension AccountOrder {
  init(_ wire: WireAccountOrder) throws(RecordsError) {
    switch wire.order {
    case .me: self = .me
    case .setDisplayName(let order):
      self = .setDisplayName(try plainTitle(order.name, of: "a name"))
    case .setDiscoverable(let order): self = .setDiscoverable(order.isDiscoverable)
    case .look(let order):
      try checkCount(
        order.accounts.count, of: "Accounts of a question", limit: Limits.accountsPerPage)
      var accounts: [AccountID] = []
      for account in order.accounts { accounts.append(try AccountID(wire: account)) }
      self = .look(accounts)
    case .find(let order): self = .find(name: try plainTitle(order.name, of: "a name"))
    case .discoverable(let order):
      self = .discoverable(after: try plainTitle(order.after, of: "a name"))
    case nil: throw .unknownKind(of: "account order")
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
