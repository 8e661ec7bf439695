// Gives an order: to the broker that has the state directory, over its own socket, or, where none
// has it, to the database. Both ways end in the same `StorageRequest`, so there is one meaning. The
// directory tells which broker is asked: it wrote down its socket beside its lock.

import BrokerCore
import BrokerStore
import DaemonKit
import Records
import RecordsWire

extension AdministrationFlags {
  /// Gives an order and says what came of it.
  func order(_ order: AdministrativeRequest) {
    run { state in
      AdministrationOutput.say(try OrderGiving(statePath: state).give(order))
    }
  }
}

/// A broker's state directory, to which orders are given.
struct OrderGiving {
  let statePath: String

  /// Gives the order; returns what is said to the administrator.
  func give(_ order: AdministrativeRequest) throws -> String {
    if let path = StateDirectory.socket(ofHolder: statePath),
      let socket = try? CallingSocket(path: path)
    {
      return try ask(socket, order)
    }
    try BrokerBackup.requireOwner(ofState: statePath)
    let directory = try StateDirectory(path: statePath)
    defer { withExtendedLifetime(directory) {} }
    return try carryOut(order, in: directory)
  }

  private func carryOut(
    _ order: AdministrativeRequest, in directory: StateDirectory
  ) throws -> String {
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    // There is no log here: the administrator who asked reads what the database said.
    var committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { AdministrationOutput.warn("\($0)") })
    let request = StorageRequest.administer(ConnectionID(0), replyTo: 1, order)
    guard
      case .administered(_, _, let result)? = committer.perform([request], at: BrokerService.now())
        .first
    else { preconditionFailure("An order's result is that of an order.") }
    return try result.get().sentence
  }

  private func ask(_ socket: CallingSocket, _ order: AdministrativeRequest) throws -> String {
    try socket.send(ClientFrame(id: 1, message: .administer(order)).framed)
    var decoder = FrameDecoder(frameBytesMaximum: Limits.frameBytes)
    while true {
      decoder.append(try socket.receive())
      guard let payload = try decoder.next() else { continue }
      switch try BrokerFrame(payload: payload).message {
      case .administered(let sentence): return sentence
      case .error(let error), .goodbye(let error): throw error
      default: throw DaemonError(.content, "The broker answered something else than was asked.")
      }
    }
  }
}
