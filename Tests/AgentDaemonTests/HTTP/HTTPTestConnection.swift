import NIOCore
import NIOHTTP1

/// A connection to a server, for one request at a time.
struct HTTPTestConnection: Sendable {
  let channel: any Channel
  let handler: NIOLoopBound<HTTPTestHandler>

  /// Sends a request. The body of the response before it must have been read.
  /// - Parameter isLast: Whether the connection closes after the response.
  /// - Returns: The response as soon as its head has arrived.
  /// - Throws: `HTTPTestFailure`, or the error of the connection.
  func send(_ request: HTTPTestRequest, isLast: Bool = false) async throws -> HTTPTestResponse {
    let response = channel.eventLoop.makePromise(of: HTTPTestResponse.self)
    channel.eventLoop.execute { [handler] in
      handler.value.send(request, isLast: isLast, response: response)
    }
    return try await withTaskCancellationHandler {
      try await response.futureResult.get()
    } onCancel: { [channel] in
      channel.close(promise: nil)
    }
  }
}
