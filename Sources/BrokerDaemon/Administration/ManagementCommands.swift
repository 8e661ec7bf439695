// The subcommands that list and change accounts, devices, containers and the clock. Changes are sent to the
// running broker, because it caches what it has read. Without one, the subcommand applies them itself under
// the directory's lock (docs/decisions/0018-orders.md).

import ArgumentParser
import BrokerCore
import BrokerStore
import Crypto
import DaemonKit
import Records

/// The `account` subcommand.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manage accounts.",
    subcommands: [
      List.self, Add.self, Allow.self, Disallow.self, Disable.self, Enable.self, Export.self,
      Delete.self,
    ])

  /// The `account list` subcommand.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the accounts.",
      discussion: """
        Shows each account's number of devices, its number of records, and the limit for records \
        (setting “recordsPerAccount”).
        """)
    @OptionGroup var flags: ListFlags

    func run() {
      flags.show("accounts") { archive in
        try archive.accounts(recordsMaximum: flags.settings().quotas.accountRecords)
      }
    }
  }

  /// The `account add` subcommand.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an account.",
      discussion: """
        If the setting “accounts” is “closed”, only users with an account that was added here can \
        sign in.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Option(help: "The uid of the account's user on this machine.") var uid: UInt32?
    func run() { flags.send(.addAccount(name: name, uid: uid)) }
  }

  /// The `account allow` subcommand.
  struct Allow: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let another user of this machine sign in to an account.",
      discussion: """
        For example the user of an agent that runs without a login: contactsd-office of contactsd@office.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Option(help: "The user, by name or uid.") var user: String
    func run() { flags.allow(user, name, isAllowed: true) }
  }

  /// The `account disallow` subcommand.
  struct Disallow: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End that a user may sign in to an account. Devices that have signed in stay.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Option(help: "The user, by name or uid.") var user: String
    func run() { flags.allow(user, name, isAllowed: false) }
  }

  /// The `account disable` subcommand.
  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Disable an account and disconnect its devices.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    func run() { flags.send(.setAccount(name: name, isDisabled: true)) }
  }

  /// The `account enable` subcommand.
  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Enable a disabled account.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    func run() { flags.send(.setAccount(name: name, isDisabled: false)) }
  }

  /// The `account export` subcommand.
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Export all data of an account, also while the broker runs.",
      discussion: """
        Writes a directory with account.ndjson, which has a line of JSON for the account, for each \
        of its zones and for each record, and files/ with the assets. Groups that other accounts \
        share with this one are not included.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Argument(help: "The output directory.") var directory: String

    func run() {
      flags.run { state in
        let count = try AccountExport(directory: directory).write(name, of: state)
        AdministrationOutput.writeLine(
          "Exported “\(name)” to \(directory): \(count.records) records, \(count.files) files.")
        AdministrationOutput.warnIfOpen(directory: directory)
        guard count.damaged.isEmpty else {
          throw DaemonError(
            .content, "\(count.damaged.count) records are damaged and were left out.",
            hint: "`contacts-broker check` names them.")
        }
      }
    }
  }

  /// The `account delete` subcommand.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Permanently delete an account and all its data.",
      discussion: """
        Disconnects the account's devices, deletes its groups for all participants, and removes it \
        from the groups of other accounts. Its edits in those groups remain. The name can be used \
        again afterwards.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The account's name.") var name: String
    @Flag(help: "Confirm the deletion.") var yes = false

    func validate() throws {
      guard yes else {
        throw ValidationError(
          "Deleting an account cannot be undone. Export it first, then confirm with --yes.")
      }
    }

    func run() { flags.send(.deleteAccount(name: name)) }
  }
}

/// The `device` subcommand.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Manage devices.",
    subcommands: [List.self, Revoke.self, RotateKey.self])

  /// The `device list` subcommand.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the devices.")
    @OptionGroup var flags: ListFlags
    func run() { flags.show("devices") { archive in try archive.devices() } }
  }

  /// The `device revoke` subcommand.
  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Permanently revoke a device and disconnect it.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The device's id, as “device list” shows it.") var id: DeviceID

    func run() { flags.send(.revokeDevice(id)) }
  }

  /// The `device rotate-key` subcommand.
  struct RotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace the key of a device. The old key stops working at once.",
      discussion: """
        Use this if a key may have been exposed. The device keeps its data and unsent edits, and \
        continues once it has the new key: contactsctl signin --key FILE. The key is printed, or \
        written to a file that only you can read. The broker stores only a digest of it; if the \
        key is lost, replace it again.
        """)
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The device's id, as “device list” shows it.") var id: DeviceID
    @Option(name: .shortAndLong, help: "Write the key to this file.") var output: String?

    func run() {
      flags.run { state in
        var generator = SystemRandomNumberGenerator()
        let key = DeviceKey.random(using: &generator)
        let digest = Array(SHA256.hash(data: key.bytes))
        // NB: created before the request is sent: if the key could not be written, the device would be
        // locked out.
        let file = try output.map { path in try KeyFile(path: path) }
        do {
          let sentence = try AdministrationClient(location: state)
            .send(.rotateKey(id, digest: digest))
          guard let file else { return AdministrationOutput.show(key, sentence) }
          try file.finish(key)
          AdministrationOutput.writeLine(sentence)
        } catch {
          file?.discard()
          throw error
        }
      }
    }
  }
}

extension DeviceID: ExpressibleByArgument {
  /// Parses an id as `device list` prints it.
  public init?(argument: String) {
    self.init(argument)
  }
}

/// The `container` subcommand.
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container", abstract: "Manage containers, the namespaces of applications.",
    subcommands: [List.self, Add.self])

  /// The `container list` subcommand.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the containers.")
    @OptionGroup var flags: ListFlags
    func run() { flags.show("containers") { archive in try archive.containers() } }
  }

  /// The `container add` subcommand.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a container.")
    @OptionGroup var flags: AdministrationFlags
    @Argument(help: "The container's name.") var name: String
    func run() { flags.send(.addContainer(name: name)) }
  }
}

/// The `clock` subcommand.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Manage the broker's measure of elapsed time.",
    subcommands: [Confirm.self])

  /// The `clock confirm` subcommand.
  struct Confirm: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Count unobserved time toward the age of data, so that old data expires.",
      discussion: """
        Data does not age while the broker does not run, nor by a jump of the clock. Use this \
        command if that time really passed and data that is old by the clock may be deleted.
        """)
    @OptionGroup var flags: AdministrationFlags
    func run() { flags.send(.confirmClock) }
  }
}

/// The options of the subcommands that list.
struct ListFlags: ParsableArguments {
  @OptionGroup var flags: AdministrationFlags
  @Flag(help: "Print JSON.") var json = false

  /// Reads the broker's settings.
  func settings() throws(DaemonError) -> BrokerSettings { try flags.settings() }

  /// Prints a table from the broker's database, as the list `name` if JSON was requested.
  func show(
    _ name: String, _ listing: (any RecordArchive) throws -> ArchiveTable
  ) {
    flags.run { state in
      try AdministrationOutput.show(
        try listing(state.archive), as: name, isJSON: json)
    }
  }
}
