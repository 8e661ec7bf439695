/// A setting of the device.
package struct SettingView: Codable, Hashable, Sendable {
  package var key: String
  package var value: String
  /// `started`, `chosen` or `default`.
  package var source: String
  /// The allowed values, the default first; empty for any text, or if it cannot be changed.
  package var choices: [String]
  package var meaning: String

  package init(key: String, value: String, source: String, choices: [String], meaning: String) {
    self.key = key
    self.value = value
    self.source = source
    self.choices = choices
    self.meaning = meaning
  }
}
