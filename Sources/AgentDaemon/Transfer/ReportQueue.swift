// The report of an import on its way to the client. A browser reads nothing of a response until it has sent the whole
// request. If the import waited until the client has read a part of the report, neither would continue once the buffers
// of the connection are full.

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Accepts the report of an import at once, and passes it on as fast as the client reads.
struct ReportQueue: ResponseBodyWriter {
  /// The maximum size of what waits for the client: the report of several hundred thousand contacts. Then the import
  /// waits too.
  static let bytesMaximum = 64 << 20
  private static let pause = Duration.milliseconds(20)

  private let buffers: AsyncStream<ByteBuffer>.Continuation
  private let waiting: WaitingBytes

  /// Runs `produce` with a queue, and writes to `writer` what it puts there.
  /// - Throws: Any error of `produce` or `writer`; then the other one is cancelled.
  static func run(
    to writer: inout any ResponseBodyWriter,
    _ produce: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
  ) async throws {
    let (buffers, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    let waiting = WaitingBytes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // NB: An import must not run on the connection's event loop; see LoopExecutor.
      group.addTask(executorPreference: LoopExecutor.background) {
        defer { continuation.finish() }
        var queue: any ResponseBodyWriter = ReportQueue(buffers: continuation, waiting: waiting)
        try await produce(&queue)
      }
      for await buffer in buffers {
        try await writer.write(buffer)
        waiting.count.wrappingSubtract(buffer.readableBytes, ordering: .relaxed)
      }
      try await group.waitForAll()
    }
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    while waiting.count.load(ordering: .relaxed) > Self.bytesMaximum {
      try await Task.sleep(for: Self.pause)
    }
    waiting.count.wrappingAdd(buffer.readableBytes, ordering: .relaxed)
    buffers.yield(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { buffers.finish() }
}

/// The number of bytes that the client has not been sent yet.
private final class WaitingBytes: Sendable {
  let count = Atomic(0)
}
