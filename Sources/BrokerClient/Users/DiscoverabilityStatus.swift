/// Whether other users can find the current user. CloudKit: `CKContainer.ApplicationPermissionStatus`.
///
/// The permission belongs to the account and applies to all containers of the broker. CloudKit's
/// `couldNotComplete` is an error here.
public enum DiscoverabilityStatus: String, Hashable, Sendable, CaseIterable {
  /// Other users cannot find the user, and this device has not asked the user for the permission.
  case initialState
  /// Other users cannot find the user, because the user denied the permission on this device.
  case denied
  /// Other users can find the user by name and in the list of discoverable users.
  case granted
}
