import AgentAPI
import DeviceDriver
import Records

extension AuthorView {
  /// Creates the author of a change, with the names that `who` knows.
  /// - Parameters:
  ///   - account: `nil` for this account before it is known.
  ///   - device: `nil` for this device before it is known.
  init(account: AccountID?, device: DeviceID?, who: Identity) {
    let (name, displayName) = (who.name(of: account), who.displayName(of: account))
    let (deviceName, shownDevice) = (who.name(of: device), who.displayName(ofDevice: device))
    self.init(
      account: name, name: displayName == name ? nil : displayName, device: deviceName,
      deviceName: shownDevice == deviceName ? nil : shownDevice)
  }
}
