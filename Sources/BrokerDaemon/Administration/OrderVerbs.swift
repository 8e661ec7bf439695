// What an administrator changes: accounts, devices, containers, and whether the clock is trusted; and
// the lists of them. A running broker is asked to do it, because it remembers what it has read; where
// none runs, the verb does it itself under the directory's lock
// (docs/decisions/0018-orders.md).

import ArgumentParser
import BrokerCore
import BrokerStore
import Crypto
import DaemonKit
import Records

/// `account`.
struct AccountVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "The people the broker knows.",
    subcommands: [
      List.self, Add.self, Disable.self, Enable.self, Export.self, Delete.self,
    ])

  /// `account list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the accounts.",
      discussion: """
        With the number of their devices and records, and how many records each may have: the \
        setting “recordsPerAccount”.
        """)
    @OptionGroup var flags: ListFlags

    func run() {
      flags.show("accounts") { archive in
        try archive.accounts(recordsMaximum: flags.settings().quotas.accountRecords)
      }
    }
  }

  /// `account add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Enter an account.",
      discussion: "Needed where the setting “accounts” is “closed”.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Option(help: "The user of this machine who is the account, by number.") var uid: UInt32?
    func run() { flags.order(.addAccount(name: name, uid: uid)) }
  }

  /// `account disable`.
  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let an account sign in no more; its devices are sent away at once.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    func run() { flags.order(.setAccount(name: name, isDisabled: true)) }
  }

  /// `account enable`.
  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let an account sign in again.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    func run() { flags.order(.setAccount(name: name, isDisabled: false)) }
  }

  /// `account export`.
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write out everything an account has, also while the broker runs.",
      discussion: """
        Into a directory: account.ndjson, a line of JSON for the account, each of its zones and \
        each record, and files/ with what the records name. What others share with the account is \
        theirs and not in it.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Argument(help: "The directory.") var directory: String

    func run() {
      flags.run { state in
        let archive = BrokerArchive(path: "\(state)/broker.sqlite")
        let count = try AccountExport(directory: directory).write(name, of: archive, state: state)
        AdministrationOutput.say(
          "Exported “\(name)” to \(directory): \(count.records) records, \(count.files) files.")
        guard count.damaged.isEmpty else {
          throw DaemonError(
            .content, "\(count.damaged.count) records are damaged and were left out.",
            hint: "`contacts-broker check` names them.")
        }
      }
    }
  }

  /// `account delete`.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an account with everything it has, for good.",
      discussion: """
        Its devices are sent away at once, its groups are gone for everybody it shared them with, \
        and it leaves the groups of others; what it wrote there stays. Its name is free afterwards.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Flag(help: "Yes, delete it.") var yes = false

    func validate() throws {
      guard yes else {
        throw ValidationError("It cannot be undone. Export the account first, then say --yes.")
      }
    }

    func run() { flags.order(.deleteAccount(name: name)) }
  }
}

/// `device`.
struct DeviceVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Their devices.",
    subcommands: [List.self, Revoke.self, RotateKey.self])

  /// `device list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the devices.")
    @OptionGroup var flags: ListFlags
    func run() { flags.show("devices") { archive in try archive.devices() } }
  }

  /// `device revoke`.
  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a device sign in no more, for good; it is sent away at once.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The device's id, as `device list` has it.") var id: DeviceID

    func run() { flags.order(.revokeDevice(id)) }
  }

  /// `device rotate-key`.
  struct RotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new key for a device; the former one is refused from then on.",
      discussion: """
        For a key that somebody else may have seen. The device keeps what it holds, and what waits \
        on it to be sent, and goes on once it has the new key: contactsctl signin --key FILE. The \
        key is printed, or written to a file that only you may read; the broker keeps its digest \
        alone, so a key that is lost is made anew.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The device's id, as `device list` has it.") var id: DeviceID
    @Option(name: .shortAndLong, help: "Write the key to this file.") var output: String?

    func run() {
      flags.run { state in
        var dice = SystemRandomNumberGenerator()
        let key = DeviceKey.random(using: &dice)
        let digest = Array(SHA256.hash(data: key.bytes))
        // NB: begun before the order: a key that cannot be written would shut the device out.
        let file = try output.map { path in try KeyFile(path: path) }
        do {
          let sentence = try OrderGiving(statePath: state)
            .give(.rotateKey(id, digest: digest))
          guard let file else { return AdministrationOutput.show(key, sentence) }
          try file.finish(key)
          AdministrationOutput.say(sentence)
        } catch {
          file?.discard()
          throw error
        }
      }
    }
  }
}

extension DeviceID: ExpressibleByArgument {
  /// Reads what `device list` prints.
  public init?(argument: String) {
    self.init(argument)
  }
}

/// `container`.
struct ContainerVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container", abstract: "The applications that keep records here.",
    subcommands: [List.self, Add.self])

  /// `container list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the containers.")
    @OptionGroup var flags: ListFlags
    func run() { flags.show("containers") { archive in try archive.containers() } }
  }

  /// `container add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Enter a container.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The container's name.") var name: String
    func run() { flags.order(.addContainer(name: name)) }
  }
}

/// `clock`.
struct ClockVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "What of its clock's time the broker counts.",
    subcommands: [Confirm.self])

  /// `clock confirm`.
  struct Confirm: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Count all time up to now, so that what is old by the clock is removed.",
      discussion: """
        Nothing grows older by time in which the broker did not run, or over which its clock leapt. \
        Say this if that time has really passed, and old history should go.
        """)
    @OptionGroup var flags: AdministrationFlags
    func run() { flags.order(.confirmClock) }
  }
}

/// What the verbs that list take.
struct ListFlags: ParsableArguments {
  @OptionGroup var flags: AdministrationFlags
  @Flag(help: "Print JSON.") var json = false

  /// The broker's settings.
  func settings() throws(DaemonError) -> BrokerSettings { try flags.settings() }

  /// Prints a table of the broker's database.
  func show(
    _ name: String, _ listing: (BrokerArchive) throws -> BrokerArchive.Listing
  ) {
    flags.run { state in
      try AdministrationOutput.show(
        try listing(BrokerArchive(path: "\(state)/broker.sqlite")), as: name, isJSON: json)
    }
  }
}
