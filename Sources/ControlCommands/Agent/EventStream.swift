// Follows an event stream of the agent until the user ends the program. If the agent stops, it waits for the
// agent and resumes after the last event received.

import AgentAPI
import NIOCore

extension CommandSession {
  /// Calls `show` for each event of a stream, until the process is ended.
  /// - Throws: Any error of `show`, or the error if the stream cannot be opened the first time.
  func follow(
    _ path: AgentPath, since: Int64?, show: (ServerEvent) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) -> Never {
    var last = since.map(String.init)
    var isFirst = true
    while true {
      do {
        let body = try await agent.events(path, since: last)
        isFirst = false
        try await read(body, from: &last, show: show)
      } catch {
        guard !isFirst, [.unreachable, .tryLater].contains(error.exitCode) else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  private func read(
    _ body: some AsyncSequence<ByteBuffer, any Error>, from last: inout String?,
    show: (ServerEvent) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    var lines = EventLines()
    var iterator = body.makeAsyncIterator()
    while true {
      let buffer: ByteBuffer?
      do {
        buffer = try await iterator.next()
      } catch {
        return
      }
      guard let buffer else { return }
      for event in try lines.take(buffer.readableBytesView) { try show(event) }
      last = lines.lastID ?? last
    }
  }
}
