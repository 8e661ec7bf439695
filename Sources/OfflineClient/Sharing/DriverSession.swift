// Requests about shares and users over the connection of the replica's driver.

import BrokerClient
import DeviceDriver
import Records
import SyncCore

/// Sends requests that need the broker's answer. Records are written by the replica, never here.
struct DriverSession: MessageSession {
  let driver: ReplicaDriver

  func welcome() async throws(RecordsError) -> Welcome {
    let identity = try await RecordsError.converting { try driver.identity() }
    guard let account = identity.account, let device = identity.device else {
      throw RecordsError(
        .serviceUnavailable, "This device has not been connected to a broker yet.",
        hint: "Try again when the status is live.")
    }
    return Welcome(
      version: ProtocolVersion.newest, account: account,
      accountName: identity.accountName ?? "", device: device, lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 0)
  }

  func ask(_ message: ClientMessage) async throws(RecordsError) -> BrokerMessage {
    let order: BrokerOrder
    switch message {
    case .share(let request): order = .share(request)
    case .account(let request): order = .account(request)
    default:
      preconditionFailure("Only requests about shares and users are sent outside the outbox.")
    }
    let answer = try await RecordsError.converting { try await driver.request(order) }
    switch answer {
    case .share(let answer): return .shared(answer)
    case .accounts(let profiles, let isWhole): return .accounts(profiles, isWhole: isWhole)
    case .invited, .deviceChanged, .connections, .refused:
      throw RecordsError(.internalError, "The broker sent an unexpected answer.")
    }
  }

  func modify(_ groups: [OperationGroup]) async throws(RecordsError) -> ModifyOutcome {
    preconditionFailure("An offline container sends records from its outbox.")
  }
}
