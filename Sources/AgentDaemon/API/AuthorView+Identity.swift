import AgentAPI
import DeviceDriver
import Records

extension AuthorView {
  /// Creates the author of a change, with the names that `who` knows.
  /// - Parameters:
  ///   - account: `nil` for this account before it is known.
  ///   - device: `nil` for this device before it is known.
  init(account: AccountID?, device: DeviceID?, who: Identity) {
    let name = who.name(of: account)
    let displayName = who.displayName(of: account)
    self.init(
      account: name, name: displayName == name ? nil : displayName, device: who.name(of: device))
  }
}
