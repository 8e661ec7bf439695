/// The body that renames a device.
package struct DeviceForm: Codable, Hashable, Sendable {
  package var name: String

  package init(name: String) {
    self.name = name
  }
}
