// Subscriptions over HTTP: save, list, delete. Errors name the request's own key and the column. They are
// reported at once, even without the broker.

import AddressBook
import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  func addSubscriptionRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.subscriptions.route) { _, _ in try listSubscriptions() }
    router.post(AgentPath.subscriptions.route) { request, _ in try await subscribe(request) }
    let subscription = AgentPath.subscription().route
    router.get(subscription) { _, context in
      try Response.json(self.subscription(SubscriptionID(id(context))))
    }
    router.delete(subscription) { _, context in
      let id = try SubscriptionID(id(context))
      try await driver.edit { replica, now in ((), try replica.unsubscribe(id, now: now)) }
      return Response(status: .noContent)
    }
  }

  private func listSubscriptions() throws -> Response {
    let who = try identity()
    let items = try reader.subscriptions().map { SubscriptionItem($0, who: who) }
    return try .json(SubscriptionsView(subscriptions: items))
  }

  private func subscribe(_ request: Request) async throws -> Response {
    let asked = try await body(request, as: SubscribeForm.self)
    let zone = try asked.group.map { try self.zone($0).zone }
    let form = try asked.subscription(in: zone, id: SubscriptionRoutes.generatedID())
    do {
      try await driver.edit { replica, now in
        let actions = try replica.subscribe(
          form, forThisDevice: asked.thisDevice ?? false, command: asked.command, now: now)
        return ((), actions)
      }
    } catch var error as RecordsError {
      error.field = error.field.map { SubscriptionRoutes.key(of: $0) }
      throw error
    }
    var response = try Response.json(subscription(form.id), status: .created)
    response.headers[.location] = AgentPath.subscription(form.id.text.urlEscaped).pattern
    return response
  }

  private func subscription(_ id: SubscriptionID) throws -> SingleView<SubscriptionItem> {
    guard let view = try reader.subscription(id) else {
      throw RecordsError(
        .unknownItem, "There is no subscription “\(id.text.prefix(80))”.",
        hint: "To see all: contactsctl subscriptions")
    }
    return SingleView(SubscriptionItem(view, who: try identity()))
  }
}

enum SubscriptionRoutes {
  /// Returns the request's key for a field of a subscription.
  static func key(of field: String) -> String {
    switch field {
    case "predicate": "where"
    case "body": "alert"
    case "options": "on"
    case "kind", "zone": "group"
    default: field
    }
  }

  /// Generates an id for a subscription without one. It is short, because people type it.
  static func generatedID() -> String {
    var generator = SystemRandomNumberGenerator()
    let number = UInt64.random(in: .min ... .max, using: &generator)
    let text = String(number & 0xFF_FFFF_FFFF, radix: 32)
    return "sub-" + String(repeating: "0", count: 8 - text.count) + text
  }
}

extension String {
  /// The text as a part of a path.
  fileprivate var urlEscaped: String {
    var result = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-._~".unicodeScalars.contains(scalar)
      {
        result.unicodeScalars.append(scalar)
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
