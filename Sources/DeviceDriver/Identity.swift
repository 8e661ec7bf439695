import DeviceStore
import Records

/// The names of this account and this device, and of others as far as this device knows them.
package struct Identity: Hashable, Sendable {
  /// What people read in place of the name of an unknown account.
  package static let someone = "someone"
  /// What people read in place of the name of an unknown device.
  package static let anotherDevice = "another device"

  /// The account; `nil` before the first connection to a broker.
  package var account: AccountID?
  /// The account's name.
  package var accountName: String?
  /// The device; `nil` before the first connection to a broker.
  package var device: DeviceID?
  /// The device's name.
  package var deviceName: String
  /// The names of other accounts.
  package var accountNames: [AccountID: String] = [:]
  /// The names of the account's other devices.
  package var deviceNames: [DeviceID: String] = [:]
  /// The account's display name; empty if it has none, or before the first connection.
  package var displayName = ""
  /// The display names of other accounts.
  package var displayNames: [AccountID: String] = [:]

  /// Returns an account's name, for programs; its id if the name is unknown.
  package func name(of account: AccountID?) -> String {
    guard let account, account != self.account else { return accountName ?? "" }
    return accountNames[account] ?? account.description
  }

  /// Returns an account's display name; its name if it has none; “someone” if both are unknown.
  package func displayName(of account: AccountID?) -> String {
    guard let account, account != self.account else {
      return displayName.isEmpty ? accountName ?? "" : displayName
    }
    return knownName(of: account) ?? Self.someone
  }

  /// Returns the display name of another account, or its name if it has none; `nil` if both are unknown.
  package func knownName(of account: AccountID) -> String? {
    displayNames[account] ?? accountNames[account]
  }

  /// Returns a device's name; “another device” if it is unknown.
  package func displayName(ofDevice device: DeviceID?) -> String {
    guard let device, device != self.device else { return deviceName }
    return deviceNames[device] ?? Self.anotherDevice
  }

  /// Returns a device's name, for programs; its id if the name is unknown.
  package func name(of device: DeviceID?) -> String {
    guard let device, device != self.device else { return deviceName }
    return deviceNames[device] ?? device.description
  }
}

extension Identity {
  /// Reads the names from the store.
  /// - Throws: `StoreError`.
  init(reader: DeviceReader) throws {
    let status = try reader.status()
    account = status.account
    accountName = status.accountName
    device = status.device
    deviceName = status.deviceName
    for device in try reader.devices(includingRemoved: true) {
      deviceNames[device.id] = device.name
    }
    displayName = try reader.ownDisplayName()
    for person in try reader.people() {
      accountNames[person.account] = person.name
      displayNames[person.account] = person.displayName
    }
  }
}
