// Answers CardDAV clients: checks the password, reads the address, and passes the request to its method.

import CardDAV
import CardDAVStore
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Records

/// Answers requests of CardDAV clients.
final class CardDAVResponder: Sendable {
  /// The maximum size of all bodies that are read at a time: eight of the largest cards.
  private static let bodyBytesMaximum = 8 * CollectionProperties.cardBytesMaximum

  private let api: AgentRoutes
  private let logger: Logger
  private let door: PasswordDoor
  private let budget = BodyBudget(maximumBytes: bodyBytesMaximum)

  init(_ api: AgentRoutes, logger: Logger) {
    self.api = api
    self.logger = logger
    door = PasswordDoor(api.reader, logger: logger)
  }

  /// Returns the response to `request`, which came over `channel` of an address.
  func response(
    to request: Request, over channel: any Channel, through entrance: CardDAVEntrance
  ) async -> Response {
    do {
      let path = try Self.path(of: request)
      // RFC 6764, section 5.
      if path == .wellKnown {
        return Response(status: .movedPermanently, headers: [.location: DAVPath.root.href])
      }
      let now = SystemClock.now()
      let password = try door.password(
        in: request.headers[.authorization], over: channel, through: entrance, now: now)
      entrance.clients?.know(channel)
      await noteUse(of: password, now: now)
      return try await bounded(
        CardDAVRequest(request: request, path: path, password: password))
    } catch {
      let known = DAVError(error)
      if known.status == .internalError {
        logger.error("A CardDAV request failed", metadata: ["error": "\(error.logText)"])
      }
      return known.response
    }
  }

  /// Answers a request while there is room for its body.
  private func bounded(_ request: CardDAVRequest) async throws -> Response {
    let bytes = request.bodyBytes
    guard budget.enter(bytes: bytes) else {
      throw DAVError(
        .unavailable, "Too many large requests at a time.", retryAfterSeconds: 1)
    }
    defer { budget.leave(bytes: bytes) }
    return try await answer(request)
  }

  private func noteUse(of password: AppPasswordView, now: Timestamp) async {
    guard AppPasswordTable.isUseNew(of: password, now: now) else { return }
    // If the disk is full, the list of passwords shows an earlier use.
    try? await api.driver.edit { replica, now in
      let done = try replica.edit(now: now) {
        try AppPasswordTable($0.transaction.db).noteUse(of: password, now: now)
      }
      return ((), done.actions)
    }
  }

  private func answer(_ request: CardDAVRequest) async throws -> Response {
    switch request.method {
    case "OPTIONS": return Self.options(request.path)
    case "PROPFIND": return try await PropfindRoute(api: api, request: request).response()
    case "REPORT": return try await ReportRoute(api: api, request: request).response()
    case "MKCOL": return try await BookRoute(api: api, request: request).make()
    case "PROPPATCH": return try await BookRoute(api: api, request: request).change()
    case "COPY", "MOVE": return try await TransferRoute(api: api, request: request).response()
    default: break
    }
    switch (request.method, request.path) {
    case ("GET", .card(let book, let name)), ("HEAD", .card(let book, let name)):
      return try await CardRoute(api: api, request: request, book: book, name: name).read()
    case ("PUT", .card(let book, let name)):
      return try await CardRoute(api: api, request: request, book: book, name: name).write()
    case ("DELETE", .card(let book, let name)):
      return try await CardRoute(api: api, request: request, book: book, name: name).delete()
    case ("DELETE", .book(let name)):
      return try await BookRoute(api: api, request: request).leave(name)
    case ("GET", .birthdays(let name)), ("HEAD", .birthdays(let name)):
      return try BirthdayRoute(api: api, request: request).response(name)
    default: throw Self.refusal(of: request)
    }
  }

  // MARK: Methods

  /// Reads the address. What would have to be made at an address without a collection is a conflict (RFC 4918, section
  /// 9.7.1).
  private static func path(of request: Request) throws(DAVError) -> DAVPath {
    do throws(DAVError) {
      return try DAVPath(request.uri.path)
    } catch
      where error.status == .notFound
      && ["PUT", "MKCOL", "COPY", "MOVE"].contains(request.method.rawValue)
    {
      throw DAVError(.conflict, "There is no address book at this address.")
    }
  }

  private static func options(_ path: DAVPath) -> Response {
    var response = Response(status: .ok)
    response.headers[.allow] = methods(of: path).joined(separator: ", ")
    if let name = HTTPField.Name("DAV") {
      response.headers[name] = "1, 3, addressbook, extended-mkcol"
    }
    return response
  }

  private static func methods(of path: DAVPath) -> [String] {
    let all = ["OPTIONS", "PROPFIND"]
    return switch path {
    case .card: all + ["GET", "HEAD", "PUT", "DELETE", "COPY", "MOVE", "PROPPATCH"]
    case .book: all + ["REPORT", "PROPPATCH", "DELETE", "MKCOL"]
    case .birthdays: all + ["GET", "HEAD"]
    default: all
    }
  }

  private static func refusal(of request: CardDAVRequest) -> DAVError {
    let methods = methods(of: request.path)
    guard methods.contains(request.method) else {
      return DAVError(
        .methodNotAllowed,
        "This address does not support \(request.method.prefix(20)), but "
          + "\(methods.joined(separator: ", ")).")
    }
    return DAVError(.notFound, "There is nothing at this address.")
  }
}
