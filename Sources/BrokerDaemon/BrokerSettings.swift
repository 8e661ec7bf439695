// What the broker can be told, by flag, by environment or in its file.

import BrokerCore
import DaemonKit
import Glibc

/// The broker's settings.
struct BrokerSettings: Sendable {
  /// Where the database lies.
  let statePath: String
  /// Where it listens, unless systemd passes a socket.
  let socketPath: String
  /// Who is trusted with what.
  let policy: BrokerPolicy

  /// Whether unknown users get an account.
  enum Accounts: String, CaseIterable {
    case open, closed
  }

  /// Reads them.
  /// - Throws: `configuration`, naming the file, line or setting.
  init(flags: [String: String], file: String?) throws(DaemonError) {
    let settings = try Settings(
      program: "contacts-broker", keys: ["state", "socket", "accounts", "maySpeakFor"],
      flags: flags, file: file)
    let places = StandardPlaces(program: "contacts-broker")
    if let state = settings.text("state") {
      statePath = state
    } else {
      statePath = try places.stateDirectory()
    }
    socketPath = settings.text("socket") ?? places.socket("broker.sock")
    let accounts = try settings.choice("accounts", of: Accounts.self) ?? .open
    policy = BrokerPolicy(
      maySpeakFor: Set(try settings.numbers("maySpeakFor")).union([getuid()]),
      accountsAreOpen: accounts == .open)
  }
}
