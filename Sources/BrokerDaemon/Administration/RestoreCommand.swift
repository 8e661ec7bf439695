// The subcommand that restores a backup. The broker must be stopped. A backup is restored for one of two reasons, and only
// the administrator knows which: the disk was lost, or something bad was done.

import ArgumentParser
import BrokerPostgreSQL
import BrokerServer
import BrokerStore
import DaemonKit
import Foundation
import Glibc
import Records

/// The `restore` subcommand.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a backup. The broker must be stopped.",
    discussion: """
      All zones start a new history, and the devices read them again. With --continue, because a disk was lost, \
      they continue where they stopped: they repeat what happened after the backup. With --rewind, because something \
      bad was done and had spread, they go back to the backup: contacts that were added later go to the trash, deleted \
      ones come back, and later versions stay in the history of the devices that have them. On a terminal, restore \
      asks which of both; otherwise the devices continue. \
      Permissions are those of the time of the backup: later revocations are lost, except those of \
      devices that the file removed-devices in the state directory lists. The directory must not \
      contain a database; move the old one away first. Exits with 2 if something in the backup is \
      missing or damaged.

      If the records are in a PostgreSQL database (setting “store”), restore it with PostgreSQL's own \
      programs first. Then this command, without a directory, starts the new histories.
      """)

  @OptionGroup var flags: AdministrationFlags
  @Option(
    help: """
      The list of removed devices of the broker that is replaced: removed-devices in its state directory.
      """)
  var removedDevices: String?
  @Flag var kind: RestoreKind?
  @Argument(help: "The backup's directory.") var directory: String?

  func run() {
    flags.run { location in
      let kind = try kind ?? RestoreKind.ask()
      try BrokerBackup.requireOwner(ofState: location.statePath)
      let state = try StateDirectory(path: location.statePath)
      let removed = try removedDevices.map { try RemovedDevices(existing: $0).ids() } ?? []
      let hasList = removedDevices != nil || access(state.file(RemovedDevices.name), F_OK) == 0
      let report = try restore(location, to: state, kind)
      let list = RemovedDevices(path: state.file(RemovedDevices.name))
      let before = try list.ids()
      if !removed.isSubset(of: before) { try list.replace(with: before.union(removed)) }
      AdministrationOutput.writeLine(kind.sentence)
      AdministrationOutput.writeLine(
        "Everything that was revoked after the backup is valid again: links, keys and accounts, "
          + "and participants until a device of the owner has connected. Check these before you start the broker."
      )
      AdministrationOutput.writeLine(
        hasList ? listSentence(try list.ids().count) : Self.noListSentence)
      try report?.printFindings(
        indexes: "Damaged indexes were rebuilt.",
        hint: "When you start the broker, it asks devices for them.")
    }
  }

  /// Restores the records. Returns what was missing or damaged in a backup of this program.
  private func restore(
    _ location: StoreLocation, to state: StateDirectory, _ kind: RestoreKind
  ) throws -> BackupReport? {
    guard let database = location.database else {
      guard let directory else {
        throw DaemonError(.usage, "The directory of the backup is missing.")
      }
      let report = try BrokerBackup(directory: directory).restore(
        toState: state, kind, at: BrokerClock.now())
      AdministrationOutput.writeLine(
        "Restored from \(directory): the database and \(report.fileCount) files.")
      return report
    }
    if directory != nil { try location.requireFile(for: "restore DIRECTORY") }
    try PostgreSQLArchive(address: database).beginNewHistory(
      at: BrokerClock.now(), kind)
    AdministrationOutput.writeLine(
      "All zones start a new history: devices read them again.")
    return nil
  }
}

extension RestoreCommand {
  /// Says which removals of devices the restored broker knows.
  private func listSentence(_ count: Int) -> String {
    let devices = count == 1 ? "1 device is" : "\(count) devices are"
    return "\(devices) listed as removed, and cannot sign in."
  }

  private static let noListSentence =
    "There is no list of removed devices. One that was removed after the backup can sign in until another "
    + "device of its account has connected, which repeats the removal."
}

extension RestoreKind: EnumerableFlag {
  /// The description of the flag.
  package static func help(for value: RestoreKind) -> ArgumentHelp? {
    switch value {
    case .continue: "The devices repeat what happened after the backup."
    case .rewind: "The devices go back to the backup."
    }
  }

  /// Says what the devices do after the restore.
  fileprivate var sentence: String {
    switch self {
    case .continue:
      "The devices continue where they stopped: as they connect, they repeat what happened after the backup."
    case .rewind:
      "The devices go back to the backup as they connect. Contacts that were added later go to their trash, and later "
        + "versions stay in their history. Edits that the broker had never received are merged."
    }
  }

  /// Asks which kind the administrator means, if there is a terminal to ask on.
  /// - Throws: `usage` for any answer but the two.
  fileprivate static func ask() throws(DaemonError) -> RestoreKind {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .continue }
    let question = """
      continue: a disk was lost. The devices repeat what happened after the backup.
      rewind:   something bad was done. The devices go back to the backup.
      continue or rewind?
      """
    FileHandle.standardOutput.write(Data("\(question) ".utf8))
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
    guard let kind = RestoreKind(rawValue: answer) else {
      throw DaemonError(
        .usage, "“\(answer)” is neither “continue” nor “rewind”.", hint: "Nothing was restored.")
    }
    return kind
  }
}
