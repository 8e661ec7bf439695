// Permissions of the user: to show notifications on this desktop, and to let others find the account by its
// name. Both are off until the user allows them.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

/// A permission that the user can give.
enum Permission: String, Hashable, Sendable, CaseIterable {
  /// The desktop shows notifications.
  case notifications
  /// Other accounts find this account by its name.
  case discoverability

  /// The user's answer.
  enum Answer: String, Hashable, Sendable, CaseIterable {
    /// Not asked yet.
    case ask
    case allow
    case deny
  }

  /// Returns the answer that this device has stored.
  func answer(_ reader: DeviceReader) throws -> Answer {
    try reader.setting(key).flatMap { Answer(rawValue: $0) } ?? .ask
  }

  var key: String { "permission.\(rawValue)" }
}

extension AgentRoutes {
  func addPermissionRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.permissions.route) { _, _ in
      try Response.json(PermissionsView(permissions: Permission.allCases.map(item)))
    }
    let route = AgentPath.permission().route
    router.get(route) { _, context in
      let permission = try permission(id(context))
      // Another device may have changed the answer.
      if permission == .discoverability { _ = try? await profile(.me) }
      return try told(permission)
    }
    router.put(route) { request, context in
      let permission = try permission(id(context))
      let word = try await body(request, as: PermissionForm.self).state
      guard let answer = Permission.Answer(rawValue: word), answer != .ask else {
        throw RecordsError.invalid("state must be allow or deny.", field: "state")
      }
      if permission == .discoverability {
        try await profile(.setDiscoverable(answer == .allow))
      }
      try await driver.edit { replica, now in
        ((), try replica.choose(setting: permission.key, value: answer.rawValue, now: now))
      }
      return try told(permission)
    }
  }

  private func permission(_ text: String) throws -> Permission {
    guard let permission = Permission(rawValue: text) else {
      throw RecordsError(
        .unknownItem, "There is no permission “\(text.prefix(40))”.",
        hint: "Permissions: \(Permission.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return permission
  }

  private func told(_ permission: Permission) throws -> Response {
    try .json(SingleView(item(permission)))
  }

  private func item(_ permission: Permission) throws -> PermissionItem {
    PermissionItem(id: permission.rawValue, state: try permission.answer(reader).rawValue)
  }
}
