import DeviceDriver
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Records

/// Answers requests with the routes of the agent, for each of its listeners.
final class APIResponder: Sendable {
  let api: AgentRoutes
  let logger: Logger
  private let routes: RouterResponder<BasicRequestContext>
  private let methods: AllowedMethods

  init(_ api: AgentRoutes, logger: Logger) {
    self.api = api
    self.logger = logger
    (routes, methods) = api.responder()
  }

  /// Returns the response to `request`, which came over `channel`: also for an error.
  func response(to request: Request, over channel: any Channel) async -> Response {
    let context = BasicRequestContext(
      source: ApplicationRequestContextSource(channel: channel, logger: logger))
    do {
      let answer = try await api.respondOnce(to: request) {
        try await routes.respond(to: $0, context: context)
      }
      return ErrorResponse.completed(answer, allowed: methods.of(request.uri.path))
    } catch {
      let known = ErrorResponse.recordsError(error)
      if known.code == .internalError {
        logger.error("A request failed", metadata: ["error": "\(error.logText)"])
      }
      return ErrorResponse.make(error)
    }
  }
}
