// What an administrator asks of a broker: `contacts-broker backup DIR` and the like. All of these
// work on the state directory, whose owner alone may enter it, beside a running broker or without
// one (docs/decisions/0012-administration-works-on-files.md); only `restore` wants it stopped.

import ArgumentParser
import AssetFiles
import BrokerStore
import DaemonKit
import Records

/// What all of them take.
struct AdministrationFlags: ParsableArguments {
  @Option(help: "Read settings from this file.") var config: String?
  @Option(help: "The broker's state directory.") var state: String?

  /// The broker's settings.
  func settings() throws(DaemonError) -> BrokerSettings {
    var flags: [String: String] = [:]
    flags["state"] = state
    return try BrokerSettings(flags: flags, file: config)
  }

  /// The state directory.
  func statePath() throws(DaemonError) -> String { try settings().statePath }

  /// Runs `body` on the state directory; what goes wrong is one sentence and an exit code.
  func run(_ body: (_ statePath: String) throws -> Void) {
    do {
      try body(try statePath())
    } catch {
      DaemonExit.end("contacts-broker", because: error)
    }
  }
}

/// `backup`.
struct BackupVerb: ParsableCommand {
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
    flags.run { state in
      let report = try BrokerBackup(directory: directory).make(ofState: state)
      AdministrationOutput.say(
        "Backed up to \(directory): the database and \(report.fileCount) files.")
      try report.tell(
        indexes:
          "In the copy, indexes that did not agree with their tables were made anew: “repair” does "
          + "so for the broker.",
        hint: "A broker that runs asks devices for files; “repair” has them send records.")
    }
  }
}

/// `restore`.
struct RestoreVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a backup. The broker must be stopped.",
    discussion: """
      All zones start a new history. Devices read them again and send what the backup lacks. \
      Permissions are also restored to the time of the backup. The state directory must not \
      contain a database; move the old one away first. Exits with 2 if something in the backup is \
      missing or damaged.
      """)

  @OptionGroup var flags: AdministrationFlags
  @Argument(help: "The backup's directory.") var directory: String

  func run() {
    flags.run { path in
      try BrokerBackup.requireOwner(ofState: path)
      let state = try StateDirectory(path: path)
      let report = try BrokerBackup(directory: directory).restore(
        toState: state, at: BrokerService.now())
      AdministrationOutput.say(
        "Restored from \(directory): the database and \(report.fileCount) files.")
      AdministrationOutput.say(
        "What was revoked since the backup holds again: people taken out of a group, links taken "
          + "back, devices, keys and accounts shut out; look them through before it starts.")
      try report.tell(
        indexes: "Indexes that did not agree with their tables were made anew.",
        hint: "Devices that have it are asked for it when the broker runs.")
    }
  }
}

extension BackupReport {
  /// Says what is missing.
  /// - Throws: `withLosses` where something is.
  fileprivate func tell(indexes: String, hint: String) throws(DaemonError) {
    if mending.hasNewIndexes { AdministrationOutput.say(indexes) }
    for sentence in sentences { AdministrationOutput.say(sentence) }
    guard hasLosses else { return }
    throw DaemonError(
      .withLosses,
      "Done, but not all of it was there: \(mending.damagedCount) states of records and "
        + "\(lostFiles.count) files are missing or damaged.", hint: hint)
  }
}

/// `check`.
struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Verify all data and report damage.")

  @OptionGroup var flags: AdministrationFlags

  func run() {
    flags.run { state in
      let archive = BrokerArchive(path: "\(state)/broker.sqlite")
      var findings = try archive.findings()
      if findings.isEmpty { findings = try damagedFiles(archive, state) }
      guard findings.isEmpty else {
        for finding in findings { AdministrationOutput.say(finding) }
        throw DaemonError(
          .content, "The broker's state has \(findings.count) faults.",
          hint: "See docs/operations.md: damaged records are put right by “repair”, all else by "
            + "a backup.")
      }
      AdministrationOutput.say("All is well.")
    }
  }

  private func damagedFiles(_ archive: BrokerArchive, _ state: String) throws -> [String] {
    let digests = try archive.assets()
    guard !digests.isEmpty else { return [] }
    let files = try AssetFiles(directory: "\(state)/assets", reserveBytes: 0)
    return digests.compactMap { digest in
      do {
        _ = try files.open(digest)
        return nil
      } catch {
        return
          "The file \(files.path(of: digest)): \(error); a broker that runs asks devices for it."
      }
    }
  }
}

/// `repair`.
struct RepairVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Remove damaged records. The broker must be stopped.",
    discussion: """
      Devices read the zones of these records again and send their copies. A record that no device \
      has is put into the trash in its last readable version. Copy the state directory first.
      """)

  @OptionGroup var flags: AdministrationFlags

  func run() {
    flags.run { path in
      try BrokerBackup.requireOwner(ofState: path)
      let state = try StateDirectory(path: path)
      defer { withExtendedLifetime(state) {} }
      let archive = BrokerArchive(path: state.file("broker.sqlite"))
      let repaired = try archive.repair(at: BrokerService.now())
      for sentence in repaired { AdministrationOutput.say(sentence) }
      AdministrationOutput.say(
        repaired.isEmpty ? "No record is damaged." : "Took out \(repaired.count) damaged states.")
    }
  }
}

/// `stats`.
struct StatsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show how much data the broker stores.")

  @OptionGroup var flags: AdministrationFlags
  @Flag(help: "Print JSON.") var json = false

  func run() {
    flags.run { state in
      try AdministrationOutput.show(
        try BrokerArchive(path: "\(state)/broker.sqlite").census(), as: "stats", isJSON: json)
    }
  }
}
