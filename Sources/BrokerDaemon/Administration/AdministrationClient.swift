// Sends administrative requests. If a broker runs on the state directory, the request is sent to its
// socket, whose path the broker stores next to its lock. Otherwise the request is applied to the database
// directly. Both ways use the same `StorageRequest`, so they have the same effect.

import BrokerCore
import BrokerServer
import BrokerStore
import DaemonKit
import Records
import RecordsWire

extension AdministrationFlags {
  /// Sends a request and prints the result.
  func send(_ request: AdministrativeRequest) {
    run { state in
      AdministrationOutput.writeLine(try AdministrationClient(location: state).send(request))
    }
  }

  /// Allows or ends the use of an account by a user, whose name or uid is given.
  func allow(_ user: String, _ account: String, isAllowed: Bool) {
    guard let uid = UInt32(user) ?? UserTable.number(of: user) else {
      DaemonExit.end(
        "contacts-broker",
        because: DaemonError(
          .content, "This machine has no user “\(user)”.", hint: "See: getent passwd"))
    }
    send(.allowUser(uid, account: account, isAllowed: isAllowed))
  }
}

/// Sends administrative requests to the broker of a state directory, or applies them to its database.
struct AdministrationClient {
  let location: StoreLocation

  /// Sends or applies a request. Returns the sentence to show to the administrator.
  func send(_ request: AdministrativeRequest) throws -> String {
    if let path = StateDirectory.socket(ofHolder: location.statePath),
      let socket = try? ClientSocket(path: path)
    {
      return try send(request, over: socket)
    }
    try BrokerBackup.requireOwner(ofState: location.statePath)
    let directory = try StateDirectory(path: location.statePath)
    defer { withExtendedLifetime(directory) {} }
    return try apply(request, to: location.open())
  }

  private func apply(
    _ request: AdministrativeRequest, to store: any RecordStore
  ) throws -> String {
    // There is no log: failures of the database are shown to the administrator.
    var committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { AdministrationOutput.warn("\($0)") })
    let storageRequest = StorageRequest.administer(request, ConnectionID(0), replyTo: 1)
    guard
      case .administered(let result, _, _)? = committer.perform(
        [storageRequest], at: BrokerClock.now()
      ).first
    else { preconditionFailure("An administrative request has an administrative result.") }
    return try result.get().sentence
  }

  private func send(
    _ request: AdministrativeRequest, over socket: ClientSocket
  ) throws -> String {
    try socket.send(ClientFrame(id: 1, message: .administer(request)).framed)
    var decoder = FrameDecoder(frameBytesMaximum: Limits.frameBytes)
    while true {
      decoder.append(try socket.receive())
      guard let payload = try decoder.next() else { continue }
      switch try BrokerFrame(payload: payload).message {
      case .administered(let sentence): return sentence
      case .error(let error), .goodbye(let error): throw error
      default: throw DaemonError(.content, "The broker sent an unexpected answer.")
      }
    }
  }
}
