// Subscriptions over HTTP: save, list, delete. Errors name the request's own key and the column. They are
// reported at once, even without the broker.

import AddressBook
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentAPI {
  func addSubscriptionRoutes(to router: Router<BasicRequestContext>) {
    let subscriptions = router.group("v1/subscriptions")
    subscriptions.get { _, _ in try listSubscriptions() }
    subscriptions.post { request, _ in try await subscribe(request) }
    subscriptions.get(":id") { _, context in
      Response.json(try subscription(SubscriptionID(id(context))))
    }
    subscriptions.delete(":id") { _, context in
      let id = try SubscriptionID(id(context))
      try await driver.edit { replica, now in ((), try replica.unsubscribe(id, now: now)) }
      return Response(status: .noContent)
    }
  }

  private func listSubscriptions() throws -> Response {
    let who = try identity()
    let views = try reader.subscriptions()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("subscriptions")
      json.list(views) { $0.subscription($1, who: who) }
    }
    return .json(json)
  }

  private func subscribe(_ request: Request) async throws -> Response {
    let asked = try await body(request, as: SubscriptionRequest.self)
    let zone = try asked.group.map { try self.zone($0).zone }
    let form = try asked.form(in: zone, id: SubscriptionRoutes.generatedID())
    do {
      try await driver.edit { replica, now in
        let actions = try replica.subscribe(
          form, forThisDevice: asked.isForThisDevice, command: asked.command, now: now)
        return ((), actions)
      }
    } catch var error as RecordsError {
      error.field = error.field.map { SubscriptionRoutes.key(of: $0) }
      throw error
    }
    var response = Response.json(try subscription(form.id), status: .created)
    response.headers[.location] = "/v1/subscriptions/\(form.id.text.urlEscaped)"
    return response
  }

  private func subscription(_ id: SubscriptionID) throws -> JSONWriter {
    guard let view = try reader.subscription(id) else {
      throw RecordsError(
        .unknownItem, "There is no subscription “\(id.text.prefix(80))”.",
        hint: "To see all: contactsctl subscriptions")
    }
    var json = JSONWriter()
    json.subscription(view, who: try identity(), isWhole: true)
    return json
  }
}

enum SubscriptionRoutes {
  /// Returns the request's key for a field of a subscription.
  static func key(of field: String) -> String {
    switch field {
    case "predicate": "where"
    case "body": "alert"
    case "options": "on"
    case "kind": "group"
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
