import FoundationEssentials
import Records
import SwiftProtobuf

extension AdministrativeRequest {
  init(_ wire: WireAdminister) throws(RecordsError) {
    switch wire.order {
    case .addAccount(let account):
      self = .addAccount(
        name: try validatedTitle(account.name, of: "an account's name"),
        uid: account.hasUid ? account.uid : nil)
    case .allowUser(let allowance):
      self = .allowUser(
        allowance.uid, account: try validatedTitle(allowance.account, of: "an account's name"),
        isAllowed: allowance.isAllowed)
    case .setAccount(let account):
      self = .setAccount(
        name: try validatedTitle(account.name, of: "an account's name"),
        isDisabled: account.isDisabled)
    case .revokeDevice(let revocation):
      self = .revokeDevice(try DeviceID(wire: revocation.device))
    case .addContainer(let container):
      self = .addContainer(name: try validatedTitle(container.name, of: "a container's name"))
    case .confirmClock: self = .confirmClock
    case .deleteAccount(let account):
      self = .deleteAccount(name: try validatedTitle(account.name, of: "an account's name"))
    case .rotateKey(let rotation):
      guard rotation.keyDigest.count == 32 else {
        throw .invalid(
          "A key's digest must have 32 bytes; this one has \(rotation.keyDigest.count).")
      }
      self = .rotateKey(
        try DeviceID(wire: rotation.device), digest: Array(rotation.keyDigest))
    case .inviteDevice(let order):
      self = .invite(
        account: try validatedTitle(order.accountName, of: "an account's name"),
        try InvitationOffer(order.invitation))
    case nil: throw .unknownKind(of: "administrative request")
    }
  }

  var wire: WireAdminister {
    .with {
      switch self {
      case .addAccount(let name, let uid):
        $0.addAccount = .with {
          $0.name = name
          if let uid { $0.uid = uid }
        }
      case .allowUser(let uid, let name, let isAllowed):
        $0.allowUser = .with {
          $0.uid = uid
          $0.account = name
          $0.isAllowed = isAllowed
        }
      case .setAccount(let name, let isDisabled):
        $0.setAccount = .with {
          $0.name = name
          $0.isDisabled = isDisabled
        }
      case .revokeDevice(let device): $0.revokeDevice = .with { $0.device = device.wire }
      case .addContainer(let name): $0.addContainer = .with { $0.name = name }
      case .confirmClock: $0.confirmClock = WireConfirmClock()
      case .rotateKey(let device, let digest):
        $0.rotateKey = .with {
          $0.device = device.wire
          $0.keyDigest = Data(digest)
        }
      case .invite(let name, let offer):
        $0.inviteDevice = .with {
          $0.accountName = name
          $0.invitation = offer.wire
        }
      case .deleteAccount(let name): $0.deleteAccount = .with { $0.name = name }
      }
    }
  }
}
