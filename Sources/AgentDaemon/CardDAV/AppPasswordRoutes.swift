// App passwords: one for each program that reads and writes the contacts by CardDAV.

import AgentAPI
import CardDAV
import CardDAVStore
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  func addAppPasswordRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.cardDAV.route) { _, _ in try await cardDAVAccess() }
    router.post(AgentPath.appPasswords.route) { request, _ in try await addPassword(request) }
    router.delete(AgentPath.appPassword().route) { _, context in
      try await removePassword(id(context))
    }
  }

  private func cardDAVAccess() async throws -> Response {
    let passwords = try reader.read { try AppPasswordTable($0).all() }
    // Without an address, passwords can still be seen and removed.
    let places = passwords.isEmpty ? nil : try? await cardDAV.start()
    return try .json(
      CardDAVView(
        addresses: places?.addresses.map(\.text) ?? [], problems: places?.problems ?? [],
        user: try userName(), passwords: passwords.map { AppPasswordItem($0) }))
  }

  private func addPassword(_ request: Request) async throws -> Response {
    let form = try await body(request, as: AppPasswordForm.self)
    let name = try Self.checked(form.name)
    // The password is shown once, so what can fail comes before.
    let places = try await cardDAV.start()
    let scope = try Self.scope(form.scope, in: places.addresses)
    var generator = SystemRandomNumberGenerator()
    let password = AppPassword(using: &generator)
    try await driver.edit { replica, now in
      let done = try replica.edit(now: now) {
        try AppPasswordTable($0.transaction.db).add(
          name, digest: password.digest, scope: scope, now: now)
      }
      return ((), done.actions)
    }
    return try .json(
      NewAppPasswordView(
        name: name, scope: scope.rawValue, user: try userName(), password: password.text,
        addresses: places.addresses.filter { $0.scope == scope }.map(\.text)),
      status: .created)
  }

  /// Returns the scope of a new password: as requested, or else this computer if it is served.
  private static func scope(
    _ requested: String?, in addresses: [CardDAVAddress]
  ) throws(RecordsError) -> AppPasswordScope {
    let served = AppPasswordScope.allCases.filter { scope in
      addresses.contains { $0.scope == scope }
    }
    guard let requested else { return served.first ?? .computer }
    guard let scope = AppPasswordScope(rawValue: requested) else {
      throw RecordsError.invalid("A scope is “computer” or “network”.", field: "scope")
    }
    guard served.contains(scope) else {
      throw RecordsError(
        .constraintViolation,
        scope == .network
          ? "contactsd serves CardDAV to this computer only."
          : "contactsd does not serve CardDAV to programs on this computer.",
        hint: "Add an address to the setting “dav” in contactsd.conf.", field: "scope",
        reason: "notServed")
    }
    return scope
  }

  private func removePassword(_ name: String) async throws -> Response {
    let isRemoved = try await driver.edit { replica, now in
      let done = try replica.edit(now: now) {
        try AppPasswordTable($0.transaction.db).remove(name)
      }
      return (done.result, done.actions)
    }
    guard isRemoved else {
      throw RecordsError(
        .unknownItem, "There is no app password “\(name.prefix(80))”.",
        hint: "To see them: contactsctl dav list")
    }
    return Response(status: .noContent)
  }

  /// The name that people type with the password. Any other one works too.
  private func userName() throws -> String { try identity().accountName ?? "contacts" }

  private static func checked(_ typed: String) throws(RecordsError) -> String {
    let name = typed.trimmingBlanks()
    let isClean = !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !name.isEmpty, name.utf8.count <= Limits.titleBytes, isClean, !name.contains("/") else {
      throw RecordsError.invalid(
        "The name of an app password has 1 to \(Limits.titleBytes) bytes, without slashes and "
          + "control characters.", field: "name")
    }
    return name
  }
}

extension AppPasswordItem {
  fileprivate init(_ view: AppPasswordView) {
    self.init(
      name: view.name, scope: view.scope.rawValue, created: view.created, lastUsed: view.used)
  }
}
