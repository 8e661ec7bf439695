// The agent's settings and the paths of its files. A flag takes precedence over the environment, then the
// file, then the defaults. Invalid settings are rejected before anything is changed.

import ArgumentParser
import BrokerLinks
import Collation
import DaemonKit
import Glibc
import Records

/// The agent's command line.
struct AgentFlags: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contactsd",
    abstract: "Keep a synchronized copy of your contacts on this device.",
    discussion: """
      Works without a broker and synchronizes when one can be reached. Use contactsctl to talk to \
      it.
      """,
    version: ProgramVersion.line(of: "contactsd"))

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file")) var config: String?
  @Option(help: ArgumentHelp("The directory for this device's data.", valueName: "dir"))
  var state: String?
  @Option(help: ArgumentHelp("The Unix socket for contactsctl.", valueName: "path"))
  var socket: String?
  @Option(
    help: ArgumentHelp(
      "Where the broker is: the path of its Unix socket, ssh://USER@HOST, or tls://HOST.",
      valueName: "address")
  )
  var broker: String?
  @Option(help: ArgumentHelp("The account's name.", valueName: "name")) var account: String?
  @Option(
    help: ArgumentHelp(
      "The device's name, which also selects its state directory and socket by default.",
      valueName: "name"))
  var device: String?
  @Option(
    help: ArgumentHelp(
      "The validation rules for contacts entered on this device.", valueName: "standard|us-form"))
  var profile: String?
  @Option(
    help: ArgumentHelp("The language for sorting lists.", valueName: "sv_SE"))
  var locale: String?
  @Option(
    help: ArgumentHelp(
      "Where CardDAV is served: 127.0.0.1:PORT, an address with TLS, or the path of a Unix socket.",
      valueName: "addresses"))
  var dav: String?
  @Flag(help: "Check the configuration and exit.") var checkConfig = false

  /// The given flags, by the setting's key.
  var given: [String: String] {
    let all = [
      "state": state, "socket": socket, "broker": broker, "account": account, "device": device,
      "profile": profile, "locale": locale, "dav": dav,
    ]
    return all.compactMapValues(\.self)
  }
}

/// The settings of an agent.
struct AgentSettings: Hashable, Sendable {
  static let program = "contactsd"
  private static let keys =
    ["state", "socket", "broker", "account", "device", "locale"]
    + Preference.startable.map(\.rawValue) + CardDAVSettings.keys

  /// The directory of this device's copy.
  let stateDirectory: String
  /// The path of the agent's socket, unless one is passed by systemd.
  let socket: String
  /// The endpoints of the broker, in the order in which they are tried.
  let broker: [BrokerEndpoint]
  /// Whether the setting was given; otherwise an invitation can provide the endpoints.
  let isBrokerGiven: Bool
  /// The account's name; `nil` lets the broker choose.
  let account: String?
  /// The device's name.
  let device: String
  /// The language that determines the order of lists, from the setting or the environment.
  let language: Language
  /// Whether the language is a setting. A request, which names the language of the client's environment, then
  /// does not override it.
  let isLanguageGiven: Bool
  /// The values given at the start for settings that could otherwise be changed at run time.
  let fixed: [Preference: String]
  /// Where CardDAV is served.
  let cardDAV: CardDAVSettings

  /// Reads all settings.
  /// - Throws: `configuration` with the invalid setting.
  init(_ flags: AgentFlags) throws(DaemonError) {
    let settings = try Settings(
      program: Self.program, keys: Self.keys, flags: flags.given, file: flags.config)
    // The flag names a separate instance; a name in a file only names the machine.
    if let device = flags.device { try Self.checkInstance(device) }
    let places = StandardPaths(program: Self.program, instance: flags.device)
    socket = settings.text("socket") ?? places.socket("\(Self.program).sock")
    broker = try Self.endpoints(settings.text("broker"))
    isBrokerGiven = settings.text("broker") != nil
    account = try Self.label(settings.text("account"), key: "account")
    let label = try Self.label(settings.text("device"), key: "device")
    device = label ?? Self.machineName()
    let locale = settings.text("locale")
    isLanguageGiven = locale != nil
    language = Language(locale ?? settings.variable(among: Language.variables) ?? "")
    fixed = try Self.preferences(in: settings)
    cardDAV = try CardDAVSettings(settings)
    if let state = settings.text("state") {
      stateDirectory = state
    } else {
      stateDirectory = try places.stateDirectory()
    }
  }

  /// Returns the broker on this machine: the system's if it is installed, or else this user's. Never both:
  /// several endpoints would belong to one broker, and a device must not switch between two.
  private static func localBroker() -> BrokerEndpoint {
    guard access(SystemBroker.directory, F_OK) != 0 else {
      return .unixSocket(path: SystemBroker.socketPath)
    }
    return .unixSocket(
      path: StandardPaths(program: "contacts-broker").userSocket("broker.sock"))
  }

  private static func endpoints(_ text: String?) throws(DaemonError) -> [BrokerEndpoint] {
    guard let text else { return [localBroker()] }
    do throws(RecordsError) {
      return try BrokerEndpoint.list(text)
    } catch {
      throw DaemonError(
        .configuration, "The setting “broker” is invalid: \(error.message)", hint: error.hint)
    }
  }

  private static func preferences(
    in settings: Settings
  ) throws(DaemonError) -> [Preference: String] {
    var fixed: [Preference: String] = [:]
    for preference in Preference.startable {
      guard let value = settings.text(preference.rawValue) else { continue }
      guard preference.choices.contains(value) else {
        throw DaemonError(
          .configuration,
          "Invalid value “\(value)” for “\(preference.rawValue)”: expected one of: "
            + "\(preference.choices.joined(separator: ", ")).")
      }
      fixed[preference] = value
    }
    return fixed
  }

  private static func checkInstance(_ name: String) throws(DaemonError) {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw DaemonError(
        .configuration, "Invalid name “\(name)” for --device.",
        hint: "The name becomes part of paths. It cannot contain a slash or begin with a period.")
    }
  }

  private static func label(_ text: String?, key: String) throws(DaemonError) -> String? {
    guard let text else { return nil }
    let isClean = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !text.isEmpty, text.utf8.count <= Limits.titleBytes, isClean else {
      throw DaemonError(
        .configuration,
        "Invalid value for “\(key)”: expected a name of 1 to \(Limits.titleBytes) bytes, without control "
          + "characters.")
    }
    return text
  }

  /// Returns the machine's name.
  static func machineName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "device" }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? "device" : text
  }
}
