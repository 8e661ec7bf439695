// The names of the API as the router and the requests use them.

import AgentAPI
import HTTPTypes
import Hummingbird
import Records

extension AgentPath {
  /// The path for the router.
  var route: RouterPath { RouterPath(pattern) }
}

extension Request {
  /// Returns the query parameter `name`; `nil` if the request does not have it.
  func parameter(_ name: String) -> String? {
    uri.queryParameters[Substring(name)].map(String.init)
  }

  /// Returns the query parameter `name`, which is `true` or `false`; `false` if the request does not have it.
  /// - Throws: `invalidArguments` for another text.
  func flag(_ name: String) throws(RecordsError) -> Bool {
    switch parameter(name) {
    case nil, "false": return false
    case "true": return true
    default: throw .invalid("\(name) must be true or false.", field: name)
    }
  }
}

extension HTTPField.Name {
  /// The cursor of the next page.
  static let nextCursor = HTTPField.Name(AgentHeader.nextCursor) ?? .location
  /// The number of the write's action, for undoing it.
  static let undoAction = HTTPField.Name(AgentHeader.undoAction) ?? .location
  /// The client's key for a request.
  static let idempotencyKey = HTTPField.Name(AgentHeader.idempotencyKey) ?? .ifMatch
  /// Marks the response to a request that was carried out before.
  static let idempotencyReplayed = HTTPField.Name(AgentHeader.idempotencyReplayed) ?? .ifMatch
  /// The number of pictures and sounds that an export lacks because they are not on the device.
  static let mediaMissing = HTTPField.Name(AgentHeader.mediaMissing) ?? .contentType
  /// The id of the last event that a client has.
  static let lastEventID = HTTPField.Name(AgentHeader.lastEventID) ?? .ifMatch
}
