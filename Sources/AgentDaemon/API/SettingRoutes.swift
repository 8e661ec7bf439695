// Settings: the current value, its origin, and the allowed values. Settings from the agent's start are
// included, so that users need not look for the configuration file.

import AddressBook
import BrokerLinks
import Collation
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentAPI {
  /// The settings of this device.
  var preferences: Preferences { Preferences(fixed: given?.fixed ?? [:], reader: reader) }

  func addSettingRoutes(to router: Router<BasicRequestContext>) {
    let settings = router.group("v1/settings")
    settings.get { _, _ in Response.json(try allSettings()) }
    settings.get(":id") { _, context in Response.json(try setting(id(context))) }
    settings.put(":id") { request, context in
      let value = try await body(request, as: SettingForm.self).value
      return Response.json(try await choose(id(context), value: value))
    }
    settings.delete(":id") { _, context in Response.json(try await choose(id(context), value: nil))
    }
  }

  private func allSettings() throws -> JSONWriter {
    let rows = try Preference.allCases.map { try row(of: $0) } + startedWith
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("settings")
      json.list(rows) { json, row in json.object { $0.properties(of: row) } }
    }
    return json
  }

  private func setting(_ key: String) throws -> JSONWriter {
    let row: SettingRow
    if let preference = Preference(rawValue: key) {
      row = try self.row(of: preference)
    } else if let started = startedWith.first(where: { $0.key == key }) {
      row = started
    } else {
      throw Self.unknown(key)
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: row)
    }
    return json
  }

  private func choose(_ key: String, value: String?) async throws -> JSONWriter {
    guard let preference = Preference(rawValue: key) else {
      guard startedWith.contains(where: { $0.key == key }) else { throw Self.unknown(key) }
      throw RecordsError(
        .permissionFailure, "“\(key)” cannot be changed while contactsd is running.",
        hint: "Set it in contactsd.conf or with contactsd --\(key), and restart contactsd.",
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

  private func row(of preference: Preference) throws -> SettingRow {
    let (value, source) = try preferences.choice(preference)
    return SettingRow(
      key: preference.rawValue, value: value, source: source.rawValue,
      choices: preference.choices, meaning: preference.meaning)
  }

  /// The settings from the agent's start, which no request can change.
  private var startedWith: [SettingRow] {
    guard let given else { return [] }
    let rows = [
      ("account", given.account ?? "", "the account's name"),
      ("device", given.device, "the device's name"),
      (
        "broker", BrokerEndpoint.text(of: current?.address.endpoints ?? given.broker),
        "where the broker is"
      ),
      ("state", given.stateDirectory, "the directory of this device's data"),
      ("socket", given.socket, "the socket for contactsctl"),
      ("locale", given.language.description, "the language for sorting lists"),
    ]
    return rows.map { key, value, meaning in
      SettingRow(
        key: key, value: value, source: Preferences.Source.started.rawValue, choices: [],
        meaning: meaning)
    }
  }

  private static func unknown(_ key: String) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no setting “\(key.prefix(40))”.",
      hint: "To see all settings: contactsctl config list")
  }
}

/// One setting in an answer.
private struct SettingRow {
  let key: String
  let value: String
  let source: String
  let choices: [String]
  let meaning: String
}

/// The body of `PUT` on a setting.
struct SettingForm: Decodable, Sendable {
  let value: String
}

extension JSONWriter {
  fileprivate mutating func properties(of row: SettingRow) {
    key("key")
    value(row.key)
    key("value")
    value(row.value)
    key("source")
    value(row.source)
    key("choices")
    list(row.choices) { $0.value($1) }
    key("meaning")
    value(row.meaning)
  }
}
