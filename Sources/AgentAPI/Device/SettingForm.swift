/// The body that changes a setting.
package struct SettingForm: Codable, Hashable, Sendable {
  package var value: String

  package init(value: String) {
    self.value = value
  }
}
