// Settings: the current value, its origin, and the allowed values. Settings from the agent's start are
// included, so that users need not look for the configuration file.

import AddressBook
import AgentAPI
import BrokerLinks
import Collation
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  /// The settings of this device.
  var preferences: Preferences { Preferences(fixed: given?.fixed ?? [:], reader: reader) }

  func addSettingRoutes(to router: Router<BasicRequestContext>) {
    let route = AgentPath.setting().route
    router.get(AgentPath.settings.route) { _, _ in
      try Response.json(
        SettingsView(settings: Preference.allCases.map { try view(of: $0) } + startedWith()))
    }
    router.get(route) { _, context in try Response.json(setting(id(context))) }
    router.put(route) { request, context in
      let value = try await body(request, as: SettingForm.self).value
      return try await Response.json(choose(id(context), value: value))
    }
    router.delete(route) { _, context in try await Response.json(choose(id(context), value: nil)) }
  }

  private func setting(_ key: String) throws -> SingleView<SettingView> {
    if let preference = Preference(rawValue: key) { return SingleView(try view(of: preference)) }
    guard let started = try startedWith().first(where: { $0.key == key }) else {
      throw Self.unknown(key)
    }
    return SingleView(started)
  }

  private func choose(_ key: String, value: String?) async throws -> SingleView<SettingView> {
    guard let preference = Preference(rawValue: key) else {
      guard try startedWith().contains(where: { $0.key == key }) else { throw Self.unknown(key) }
      throw RecordsError(
        .permissionFailure, "“\(key)” cannot be changed while contactsd is running.",
        hint: key == "device"
          ? "To rename the device: contactsctl devices rename"
          : "Set it in contactsd.conf or with contactsd --\(key), and restart contactsd.",
        field: key)
    }
    guard preferences.fixed[preference] == nil else {
      throw RecordsError(
        .permissionFailure,
        "“\(key)” was set when contactsd started, so it cannot be changed here.",
        hint:
          "Remove it from contactsd.conf, the environment or the options of contactsd, and "
          + "restart it.",
        field: key)
    }
    if let value, let refusal = preference.refusal(of: value) { throw refusal }
    try await driver.edit { replica, now in
      ((), try replica.choose(setting: preference.rawValue, value: value, now: now))
    }
    return try setting(key)
  }

  private func view(of preference: Preference) throws -> SettingView {
    let (value, source) = try preferences.choice(preference)
    return SettingView(
      key: preference.rawValue, value: value, source: source.rawValue,
      choices: preference.choices, meaning: preference.meaning)
  }

  /// The settings from the agent's start, which no request to this route can change. A renamed device has its new name.
  private func startedWith() throws -> [SettingView] {
    guard let given else { return [] }
    let name = try identity().deviceName
    let rows = [
      ("account", given.account ?? "", "the account's name"),
      ("device", name, "the device's name"),
      (
        "broker", BrokerEndpoint.text(of: current?.address.endpoints ?? given.broker),
        "where the broker is"
      ),
      ("state", given.stateDirectory, "the directory of this device's data"),
      ("socket", given.socket, "the socket for contactsctl"),
      ("locale", given.language.description, "the language for sorting lists"),
    ]
    return rows.map { key, value, meaning in
      let source: Preferences.Source =
        key == "device" && name != given.device ? .chosen : .started
      return SettingView(
        key: key, value: value, source: source.rawValue, choices: [], meaning: meaning)
    }
  }

  private static func unknown(_ key: String) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no setting “\(key.prefix(40))”.",
      hint: "To see all settings: contactsctl config list")
  }
}
