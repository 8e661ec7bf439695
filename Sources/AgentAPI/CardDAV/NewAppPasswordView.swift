/// A new app password. It is shown once.
package struct NewAppPasswordView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The name that the person gave it.
  package var name: String
  /// From where it can be used: `computer` or `network`.
  package var scope: String
  /// The user name to type into the program.
  package var user: String
  /// The password to type.
  package var password: String
  /// The addresses to type, any one of them.
  package var addresses: [String]

  package init(
    name: String, scope: String, user: String, password: String, addresses: [String]
  ) {
    self.name = name
    self.scope = scope
    self.user = user
    self.password = password
    self.addresses = addresses
  }
}

/// The request for an app password.
package struct AppPasswordForm: Codable, Hashable, Sendable {
  /// A name by which the person knows the program: “phone”.
  package var name: String
  /// From where it can be used: `computer` or `network`; `nil` for this computer, if CardDAV is served to it.
  package var scope: String?

  /// Creates the request.
  package init(name: String, scope: String?) {
    self.name = name
    self.scope = scope
  }
}
