/// The settings of the device.
package struct SettingsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var settings: [SettingView]

  package init(settings: [SettingView]) {
    self.settings = settings
  }
}

extension AgentPath {
  /// The settings of the device.
  package static let settings = AgentPath("settings")

  /// A setting of the device.
  package static func setting(_ key: String = anyID) -> AgentPath { AgentPath("settings", key) }
}
