import CardDAVStore

/// The kind of address at which a CardDAV client has arrived.
struct CardDAVEntrance: Sendable {
  /// The passwords that are accepted there.
  let scope: AppPasswordScope
  /// The connections of other machines, which are limited until they have given a password; `nil` where only this machine
  /// or a proxy connects.
  var clients: RemoteClients?
}

/// An address at which CardDAV is served.
struct CardDAVAddress: Hashable, Sendable {
  /// What people type into a program.
  let text: String
  /// The passwords that are accepted there.
  let scope: AppPasswordScope
}
