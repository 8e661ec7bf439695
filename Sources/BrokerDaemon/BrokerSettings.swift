// The settings of the broker, from flags, the environment or its file.

import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import DaemonKit
import Glibc
import Predicates
import Records

/// The broker's settings.
struct BrokerSettings: Sendable {
  /// Where the records and other files are.
  let location: StoreLocation
  /// The path of the socket, unless systemd passes one.
  let socketPath: String
  /// The path of the metrics socket; `nil` for none.
  let metricsPath: String?
  /// The addresses on which to listen for devices on other machines; empty for none.
  let listen: [ListenAddress]
  /// The addresses that invitations name, each HOST:PORT.
  let addresses: [String]
  /// The proxies that name the client of each connection.
  let proxies: TrustedProxies
  /// The connections from one address that may be open and not signed in.
  let unauthenticatedPerAddress: Int
  /// The uids whose agents may sign in to any account.
  private let maySpeakFor: Set<UInt32>
  /// Whether unknown users get an account; `nil` for the default.
  private let accounts: Accounts?
  /// The quotas of accounts.
  let quotas: QuotaPolicy
  /// The fields that are indexed for queries.
  let indexes: [DeclaredIndex]
  /// The rights on public databases.
  let publicRights: PublicRights

  /// The smallest allowed value of `recordsPerAccount`.
  static let recordsMinimum = 100

  /// Whether unknown users get an account.
  enum Accounts: String, CaseIterable {
    case open, closed
  }

  /// Reads the settings.
  /// - Throws: `configuration`, naming the file, line or setting.
  init(flags: [String: String], file: String?) throws(DaemonError) {
    let settings = try Settings(
      program: "contacts-broker",
      keys: [
        "state", "store", "socket", "listen", "address", "proxy", "unauthenticatedPerAddress",
        "metrics", "accounts", "maySpeakFor", "assetMebibytes", "assetMebibytesPerAccount",
        "recordsPerAccount",
        "recordMebibytesPerAccount", "participantsPercent", "index", "public",
      ], flags: flags, file: file)
    let places = StandardPaths(program: "contacts-broker")
    location = StoreLocation(
      statePath: try Self.statePath(settings, places), database: try Self.database(settings))
    socketPath = settings.text("socket") ?? places.socket("broker.sock")
    listen = try Self.addresses("listen", settings)
    let own = try Self.addresses("address", settings)
    addresses = (own.isEmpty ? Self.ownAddresses(listen) : own).map(\.description)
    proxies = try TrustedProxies(settings.text("proxy") ?? "", key: "proxy")
    unauthenticatedPerAddress =
      try Self.count("unauthenticatedPerAddress", atLeast: 1, settings)
      ?? BrokerLimits.strangersPerNetwork
    metricsPath = settings.text("metrics")
    accounts = try settings.choice("accounts", of: Accounts.self)
    maySpeakFor = Set(try settings.users("maySpeakFor")).union([getuid()])
    quotas = QuotaPolicy(
      assetBytes: try Self.mebibytes("assetMebibytes", settings) ?? Limits.assetBytes,
      accountBytes: try Self.mebibytes("assetMebibytesPerAccount", settings)
        ?? QuotaPolicy.accountBytes,
      // NB: with fewer, an account's first device could not import its initial contacts.
      accountRecords: try Self.count("recordsPerAccount", atLeast: Self.recordsMinimum, settings)
        ?? QuotaPolicy.accountRecords,
      accountRecordBytes: try Self.mebibytes("recordMebibytesPerAccount", settings)
        ?? QuotaPolicy.accountRecordBytes,
      participantsPercent: try Self.percent("participantsPercent", settings)
        ?? QuotaPolicy.participantsPercent)
    indexes = try Self.indexes(settings)
    publicRights = try Self.publicRights(settings)
  }

  /// The uids with special rights, and whether unknown uids get accounts.
  /// - Parameter isRemote: whether the broker listens for devices on other machines. The machine is then a server, whose
  ///   other users are not expected to have accounts.
  func policy(isRemote: Bool) -> BrokerPolicy {
    BrokerPolicy(
      maySpeakFor: maySpeakFor,
      accountsAreOpen: (accounts ?? (isRemote ? .closed : .open)) == .open,
      administrators: [0, getuid()])
  }

  private static func statePath(
    _ settings: Settings, _ places: StandardPaths
  ) throws(DaemonError) -> String {
    if let path = settings.text("state") { return path }
    return try places.stateDirectory()
  }

  /// - Throws: `configuration`, without the value, which can contain a password.
  private static func database(_ settings: Settings) throws(DaemonError) -> String? {
    guard let address = settings.text("store"), !address.isEmpty else { return nil }
    guard StoreAddress.isServer(address) else {
      throw DaemonError(
        .configuration, "The setting “store” is not the address of a PostgreSQL database.",
        hint: "Write postgresql://USER@HOST/DATABASE, or leave it out to use a file.")
    }
    return address
  }

  /// The port for devices on other machines.
  static let standardPort = 7433

  private static func addresses(
    _ key: String, _ settings: Settings
  ) throws(DaemonError) -> [ListenAddress] {
    guard let text = settings.text(key), !text.isEmpty else { return [] }
    return try ListenAddress.list(text, standardPort: standardPort, key: key)
  }

  /// Returns the machine's name with the port of the first address on which the broker listens, or with the
  /// standard port if systemd listens for it.
  private static func ownAddresses(_ listen: [ListenAddress]) -> [ListenAddress] {
    let first = listen.first ?? ListenAddress(host: "::", port: standardPort)
    let isAll = first.host == "::" || first.host == "0.0.0.0"
    var name = [CChar](repeating: 0, count: 256)
    guard isAll, gethostname(&name, name.count - 1) == 0 else { return [first] }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return [ListenAddress(host: text.isEmpty ? "localhost" : text, port: first.port)]
  }

  private static func indexes(_ settings: Settings) throws(DaemonError) -> [DeclaredIndex] {
    var indexes: [DeclaredIndex] = []
    for part in (settings.text("index") ?? "").split(whereSeparator: { ", \t".contains($0) }) {
      do throws(RecordsError) {
        indexes.append(try DeclaredIndex(String(part)))
      } catch {
        throw DaemonError(
          .configuration, "The setting “index” is invalid: \(error.message)",
          hint: "Write TYPE.field, separated by commas.")
      }
    }
    guard indexes.count <= DeclaredIndex.indexesMax else {
      throw DaemonError(
        .configuration,
        "The setting “index” has \(indexes.count) fields; the limit is \(DeclaredIndex.indexesMax)."
      )
    }
    return indexes
  }

  private static func publicRights(_ settings: Settings) throws(DaemonError) -> PublicRights {
    do throws(RecordsError) {
      return try PublicRights(settings.text("public") ?? "")
    } catch {
      throw DaemonError(
        .configuration, "The setting “public” is invalid: \(error.message)",
        hint: "Write TYPE: create account, read everyone, write creator; and * for other types.")
    }
  }

  /// Returns a whole number; `nil` if it is not set.
  private static func count(
    _ key: String, atLeast minimum: Int, _ settings: Settings
  ) throws(DaemonError) -> Int? {
    guard let text = settings.text(key) else { return nil }
    guard let count = Int(text), count >= minimum else {
      throw DaemonError(
        .configuration,
        "Invalid value “\(text)” for “\(key)”: expected a whole number, \(minimum) or more.")
    }
    return count
  }

  /// Returns a number from 0 to 100; `nil` if it is not set.
  private static func percent(_ key: String, _ settings: Settings) throws(DaemonError) -> Int? {
    guard let text = settings.text(key) else { return nil }
    guard let percent = Int(text), (0...100).contains(percent) else {
      throw DaemonError(
        .configuration,
        "Invalid value “\(text)” for “\(key)”: expected a whole number from 0 to 100.")
    }
    return percent
  }

  /// Returns a number of mebibytes in bytes; `nil` if it is not set.
  private static func mebibytes(_ key: String, _ settings: Settings) throws(DaemonError) -> Int? {
    guard let text = settings.text(key) else { return nil }
    guard let count = Int(text), (1...1 << 30).contains(count) else {
      throw DaemonError(
        .configuration,
        "Invalid value “\(text)” for “\(key)”: expected a whole number of MiB, 1 or more.")
    }
    return count << 20
  }
}
