// The subcommand that moves a broker's records to another store.

import ArgumentParser
import BrokerPostgreSQL
import BrokerStore
import DaemonKit
import Foundation
import Glibc

/// The `copy` subcommand.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract:
      "Move the records to another database, such as PostgreSQL. The broker must be stopped.",
    discussion: """
      A store is a state directory, which has an SQLite database and asset files, or the address of a \
      PostgreSQL database, which has both: postgresql://USER@HOST/DATABASE. The target must have no \
      records.

      All records and asset files are copied as they are and verified. Devices notice nothing. Afterwards \
      the source is sealed: its database has another name, and a broker refuses to start on it.

      If the command is interrupted, repeat it: it goes on where it stopped.

      A password on the command line can be read by every user of the machine, so an address with one is \
      refused. Give it in a file (postgresql://USER@HOST/DATABASE?passfile=FILE, as in pgpass) or in the \
      environment (PGPASSWORD).

      The other files in a state directory stay where they are: removed-devices and the key for devices \
      on other machines. Keep using that directory.
      """)

  @Option(help: ArgumentHelp("The store with the records.", valueName: "store"))
  var from: String
  @Option(help: ArgumentHelp("The store that gets them.", valueName: "store"))
  var to: String
  @Flag(help: "First delete what an interrupted copy has left at the target.")
  var discard = false
  @Flag(help: "Print JSON.") var json = false

  func run() {
    do {
      try copy()
    } catch let refusal as StoreCopy.Refusal {
      DaemonExit.end(
        "contacts-broker",
        because: DaemonError(refusal.exit, refusal.message, hint: refusal.hint))
    } catch {
      DaemonExit.end("contacts-broker", because: error)
    }
  }

  private func copy() throws {
    for address in [from, to] { try Self.refusePassword(in: address) }
    var result = StoreCopy.Result()
    let copy = try StoreCopy(from: StoreAddress(from), to: StoreAddress(to)) { step in
      result.add(step)
      guard !json else { return }
      switch step {
      case .verifiedFiles(let files): AdministrationOutput.writeLine(files.sentence)
      case .verified(let rows): AdministrationOutput.writeLine("\(rows.table): \(rows.count)")
      case .begun, .written, .filed, .published, .sealed: break
      }
    }
    let directories = [try Self.lock(from, mustExist: true), try Self.lock(to, mustExist: false)]
    defer { withExtendedLifetime(directories) {} }
    try copy.run(discards: discard)
    if json {
      try AdministrationOutput.show(result.listing, as: "copy", isJSON: true)
    } else {
      AdministrationOutput.writeLine(
        "\(result.sentence) The source is sealed: it was renamed to \(copy.sealedName).")
    }
  }

  /// - Throws: `usage` for an address with a password.
  private static func refusePassword(in address: String) throws(DaemonError) {
    guard StoreAddress.isServer(address), let parts = URLComponents(string: address),
      parts.password != nil || parts.queryItems?.contains(where: { $0.name == "password" }) == true
    else { return }
    throw DaemonError(
      .usage, "The address has a password, which every user of this machine can read.",
      hint: "Write it to a file, and add ?passfile=FILE to the address, or set PGPASSWORD.")
  }

  /// Locks a state directory. A database on a server has a lock of its own.
  private static func lock(_ store: String, mustExist: Bool) throws -> StateDirectory? {
    guard !StoreAddress.isServer(store) else { return nil }
    guard !mustExist || access(store, F_OK) == 0 else {
      throw StoreCopy.Refusal.noStore("“\(store)”")
    }
    try BrokerBackup.requireOwner(ofState: store)
    return try StateDirectory(path: store)
  }
}

extension StoreCopy.Result {
  fileprivate var sentence: String {
    guard !tables.isEmpty else { return "Everything was copied before." }
    let rows = tables.reduce(0) { $0 + $1.count }
    return "Copied and verified \(rows) rows and \(files.files) asset files."
  }
}

extension CopiedFiles.Count {
  fileprivate var sentence: String {
    guard lost > 0 else { return "asset files: \(files)" }
    return "asset files: \(files); \(lost) were lost before, and the broker asks devices for them"
  }
}

extension StoreCopy.Refusal {
  /// The exit code of the program.
  fileprivate var exit: DaemonExit {
    switch self {
    case .sameStore: .usage
    case .noStore: .cannotCreate
    case .sourceIsSealed, .hasSealedStore, .targetHasRecords, .otherCopy: .cannotCreate
    case .unknownTable, .textWithNUL, .differs, .lostFiles, .fileDiffers: .content
    }
  }
}
