// A stream of the agent's for as long as somebody looks: when the agent goes away it is waited for,
// and the stream goes on behind the last event that came.

import NIOCore

extension Session {
  /// Shows what a stream sends, until the process is ended.
  /// - Throws: what `show` throws, and why the stream could not be opened the first time.
  func follow(
    _ path: [String], since: Int64?, show: (ServerEvent) throws(ControlFailure) -> Void
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
