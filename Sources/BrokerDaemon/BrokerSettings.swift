// What the broker can be told, by flag, by environment or in its file.

import BrokerCore
import DaemonKit
import Glibc
import Predicates
import Records

/// The broker's settings.
struct BrokerSettings: Sendable {
  /// Where the database lies.
  let statePath: String
  /// Where it listens, unless systemd passes a socket.
  let socketPath: String
  /// Where it tells its numbers; `nil` for nowhere.
  let metricsPath: String?
  /// Who is trusted with what.
  let policy: BrokerPolicy
  /// How much it takes.
  let quotas: QuotaPolicy
  /// Which fields are kept in order for queries.
  let indexes: [DeclaredIndex]
  /// Who may do what in public databases.
  let publicRights: PublicRights

  /// The fewest records that an account may be let have.
  static let recordsMinimum = 100

  /// Whether unknown users get an account.
  enum Accounts: String, CaseIterable {
    case open, closed
  }

  /// Reads them.
  /// - Throws: `configuration`, naming the file, line or setting.
  init(flags: [String: String], file: String?) throws(DaemonError) {
    let settings = try Settings(
      program: "contacts-broker",
      keys: [
        "state", "socket", "metrics", "accounts", "maySpeakFor", "assetMebibytes",
        "assetMebibytesPerAccount", "recordsPerAccount",
        "recordMebibytesPerAccount", "index", "public",
      ], flags: flags, file: file)
    let places = StandardPaths(program: "contacts-broker")
    if let state = settings.text("state") {
      statePath = state
    } else {
      statePath = try places.stateDirectory()
    }
    socketPath = settings.text("socket") ?? places.socket("broker.sock")
    metricsPath = settings.text("metrics")
    let accounts = try settings.choice("accounts", of: Accounts.self) ?? .open
    policy = BrokerPolicy(
      maySpeakFor: Set(try settings.users("maySpeakFor")).union([getuid()]),
      accountsAreOpen: accounts == .open, administrators: [0, getuid()])
    quotas = QuotaPolicy(
      assetBytes: try Self.mebibytes("assetMebibytes", settings) ?? Limits.assetBytes,
      accountBytes: try Self.mebibytes("assetMebibytesPerAccount", settings)
        ?? QuotaPolicy.accountBytes,
      accountRecords: try Self.count("recordsPerAccount", settings)
        ?? QuotaPolicy.accountRecords,
      accountRecordBytes: try Self.mebibytes("recordMebibytesPerAccount", settings)
        ?? QuotaPolicy.accountRecordBytes)
    indexes = try Self.indexes(settings)
    publicRights = try Self.publicRights(settings)
  }

  private static func indexes(_ settings: Settings) throws(DaemonError) -> [DeclaredIndex] {
    var indexes: [DeclaredIndex] = []
    for part in (settings.text("index") ?? "").split(whereSeparator: { ", \t".contains($0) }) {
      do throws(RecordsError) {
        indexes.append(try DeclaredIndex(String(part)))
      } catch {
        throw DaemonError(
          .configuration, "The setting “index” is a list of fields: \(error.message)",
          hint: "Write TYPE.field, separated by commas.")
      }
    }
    guard indexes.count <= DeclaredIndex.indexesMax else {
      throw DaemonError(
        .configuration,
        "The setting “index” names \(indexes.count) fields; \(DeclaredIndex.indexesMax) may be.")
    }
    return indexes
  }

  private static func publicRights(_ settings: Settings) throws(DaemonError) -> PublicRights {
    do throws(RecordsError) {
      return try PublicRights(settings.text("public") ?? "")
    } catch {
      throw DaemonError(
        .configuration, "The setting “public” gives rights to record types: \(error.message)",
        hint: "Write TYPE: create account, read everyone, write creator; and * for other types.")
    }
  }

  /// A number of records; `nil` when nobody set it. NB: with fewer the first device of an account
  /// could not even import what every account begins with.
  private static func count(_ key: String, _ settings: Settings) throws(DaemonError) -> Int? {
    guard let text = settings.text(key) else { return nil }
    guard let count = Int(text), count >= recordsMinimum else {
      throw DaemonError(
        .configuration,
        "The setting “\(key)” is a number from \(recordsMinimum) up; “\(text)” is not.")
    }
    return count
  }

  /// A number of mebibytes, in bytes; `nil` when nobody set it.
  private static func mebibytes(_ key: String, _ settings: Settings) throws(DaemonError) -> Int? {
    guard let text = settings.text(key) else { return nil }
    guard let count = Int(text), (1...1 << 30).contains(count) else {
      throw DaemonError(
        .configuration, "The setting “\(key)” is a number of MiB from 1; “\(text)” is not.")
    }
    return count << 20
  }
}
