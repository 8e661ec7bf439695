// The accepted connections of a listener, each with Hummingbird's HTTP channel and a task.

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Records

/// Serves HTTP on accepted connections.
final class HTTPConnections: Sendable {
  /// Returns the response to a request over a channel.
  typealias Respond = @Sendable (Request, any Channel) async -> Response

  private typealias Connection = HTTP1Channel.Value

  private let http: HTTP1Channel
  private let gauge: RequestGauge
  private let drainTimeout: Duration
  private let logger: Logger
  // The gauge limits the number of waiting connections.
  private let connections: AsyncStream<Connection>
  private let arriving: AsyncStream<Connection>.Continuation

  /// - Parameters:
  ///   - connectionsMaximum: Further connections are closed at once.
  ///   - drainTimeout: The time that active requests have to finish during shutdown.
  init(
    connectionsMaximum: Int, configuration: HTTP1Channel.Configuration = .init(),
    drainTimeout: Duration, logger: Logger, respond: @escaping Respond
  ) {
    let gauge = RequestGauge(connectionsMaximum: connectionsMaximum)
    http = HTTP1Channel(
      responder: { request, writer, channel in
        gauge.began()
        defer { gauge.ended() }
        var response = await respond(request, channel)
        // Bytes after the head would be taken for the next response.
        if request.method == .head { response = response.createHeadResponse() }
        try await writer.write(response: response.head, body: response.body)
      }, configuration: configuration)
    self.gauge = gauge
    self.drainTimeout = drainTimeout
    self.logger = logger
    (connections, arriving) = AsyncStream.makeStream(of: Connection.self)
  }

  /// Sets up a connection that was accepted.
  func add(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard gauge.opened() else { return channel.eventLoop.makeFailedFuture(tooMany) }
    channel.closeFuture.whenComplete { [gauge] _ in gauge.closed() }
    return http.setup(channel: channel, logger: logger).flatMapThrowing { [arriving] connection in
      try channel.pipeline.syncOperations.addHandler(Arrival(of: connection, to: arriving))
    }
  }

  /// Adds no more connections, and ends `serve`.
  func finish() { arriving.finish() }

  /// Serves the connections until `finish`, and then the active requests for a short time.
  /// - Parameter ending: Ends the responses that last until the agent stops.
  func serve(ending: () -> Void) async {
    await withDiscardingTaskGroup { tasks in
      for await connection in connections {
        let executor = LoopExecutor(connection.channel.eventLoop)
        tasks.addTask(executorPreference: executor) { [http, logger] in
          await http.handle(value: connection, logger: logger)
        }
      }
      ending()
      await gauge.drained(within: drainTimeout)
      tasks.cancelAll()
    }
  }

  private var tooMany: RecordsError {
    RecordsError(
      .requestRateLimited,
      "Too many connections to contactsd; the limit is \(gauge.connectionsMaximum).",
      hint: "Close some and try again.")
  }
}
