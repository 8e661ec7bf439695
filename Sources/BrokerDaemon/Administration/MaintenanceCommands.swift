// The subcommands for the state directory: backup, check, repair and stats. They read its files, which only the
// directory's owner can do (docs/decisions/0012-administration-works-on-files.md). `repair` needs a stopped broker; the
// others also work while one runs.

import ArgumentParser
import AssetFiles
import BrokerServer
import BrokerStore
import DaemonKit
import Glibc
import Records

/// The options that every administrative subcommand accepts.
struct AdministrationFlags: ParsableArguments {
  @Option(help: "Read settings from this file.") var config: String?
  @Option(help: "The broker's state directory.") var state: String?

  /// Reads the broker's settings.
  func settings() throws(DaemonError) -> BrokerSettings {
    var flags: [String: String] = [:]
    flags["state"] = state
    return try BrokerSettings(flags: flags, file: config)
  }

  /// Runs `body` with the place of the broker's records. An error ends the program with a message and an exit
  /// code.
  func run(_ body: (_ location: StoreLocation) throws -> Void) {
    do {
      try body(try settings().location)
    } catch {
      DaemonExit.end("contacts-broker", because: error)
    }
  }
}

/// The `backup` subcommand.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: """
      Back up the database and the files, also while the broker runs.
      """,
    discussion: """
      Verifies everything that it copies. Exits with 2 if something is missing or damaged.
      """)

  @OptionGroup var flags: AdministrationFlags
  @Argument(help: "The directory for the backup. An older backup in it is replaced.")
  var directory: String

  func run() {
    flags.run { location in
      try location.requireFile(for: "backup")
      let report = try BrokerBackup(directory: directory).make(ofState: location.statePath)
      AdministrationOutput.writeLine(
        "Backed up to \(directory): the database and \(report.fileCount) files.")
      AdministrationOutput.warnIfOpen(directory: directory)
      try report.printFindings(
        indexes:
          "Damaged indexes were rebuilt in the backup. Run “repair” to rebuild the broker's own.",
        hint: "The broker asks devices for the files. Run “repair” to get the records from devices."
      )
    }
  }
}

extension BackupReport {
  /// Prints a sentence for each missing or damaged record version and file.
  /// - Parameters:
  ///   - indexes: the sentence to print if damaged indexes were rebuilt.
  ///   - hint: the hint of the error.
  /// - Throws: `withLosses` if anything is missing or damaged.
  func printFindings(indexes: String, hint: String) throws(DaemonError) {
    if mending.hasNewIndexes { AdministrationOutput.writeLine(indexes) }
    for sentence in sentences { AdministrationOutput.writeLine(sentence) }
    guard hasLosses else { return }
    throw DaemonError(
      .withLosses,
      "Completed, but \(mending.damagedCount) record versions and \(lostFiles.count) files are "
        + "missing or damaged.", hint: hint)
  }
}

/// The `check` subcommand.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Verify all data and report damage.")

  @OptionGroup var flags: AdministrationFlags

  func run() {
    flags.run { location in
      var findings = try location.archive.findings()
      if findings.isEmpty { findings = try damagedFiles(location) }
      guard findings.isEmpty else {
        for finding in findings { AdministrationOutput.writeLine(finding) }
        throw DaemonError(
          .content, "Faults found: \(findings.count).",
          hint: "For damaged records, run “repair”. For lost files, wait: a running broker asks "
            + "devices. For other faults, restore a backup.")
      }
      AdministrationOutput.writeLine("No faults found.")
    }
  }

  private func damagedFiles(_ location: StoreLocation) throws -> [String] {
    let digests = try location.archive.assets()
    guard !digests.isEmpty else { return [] }
    let files = try location.files()
    return digests.compactMap { digest in
      do {
        try files.verify(digest)
        return nil
      } catch {
        return
          "The file \(files.logName(of: digest)): \(error); a running broker asks devices for it."
      }
    }
  }
}

/// The `repair` subcommand.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Remove damaged records and rebuild indexes. The broker must be stopped.",
    discussion: """
      Copy the state directory first. Afterwards the devices resynchronize the zones of these \
      records and send their copies. A record that no device has is in the trash, in its last \
      readable version.
      """)

  @OptionGroup var flags: AdministrationFlags

  func run() {
    flags.run { location in
      try location.requireFile(for: "repair")
      try BrokerBackup.requireOwner(ofState: location.statePath)
      let state = try StateDirectory(path: location.statePath)
      defer { withExtendedLifetime(state) {} }
      let archive = BrokerArchive(path: location.file)
      let repaired = try archive.repair(at: BrokerClock.now())
      for sentence in repaired { AdministrationOutput.writeLine(sentence) }
      AdministrationOutput.writeLine(
        repaired.isEmpty
          ? "No damaged records or indexes found." : "Repaired faults: \(repaired.count).")
    }
  }
}

/// The `stats` subcommand.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show how much data the broker stores.")

  @OptionGroup var flags: AdministrationFlags
  @Flag(help: "Print JSON.") var json = false

  func run() {
    flags.run { location in
      try AdministrationOutput.show(try location.archive.census(), as: "stats", isJSON: json)
    }
  }
}
