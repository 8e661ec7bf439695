// The report of an import whose client does not read.

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import AgentDaemon

@Suite("A2 the queue of a report", .timeLimit(.minutes(2)))
struct ReportQueueTests {
  /// A client that reads nothing until the gate opens.
  private struct SlowClient: ResponseBodyWriter {
    let gate: AsyncStream<Void>
    let received: Count

    mutating func write(_ buffer: ByteBuffer) async throws {
      for await _ in gate {}
      received.bytes.wrappingAdd(buffer.readableBytes, ordering: .relaxed)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  private final class Count: Sendable {
    let bytes = Atomic(0)
  }

  @Test func `a report waits for its client up to a bound, and arrives whole`() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let received = Count()
    let produced = Count()
    let part = ByteBuffer(repeating: 0x20, count: 1 << 20)
    let parts = 2 * ReportQueue.bytesMaximum / part.readableBytes
    let run = Task {
      var client: any ResponseBodyWriter = SlowClient(gate: gate, received: received)
      try await ReportQueue.run(to: &client) { report in
        for _ in 0..<parts {
          try await report.write(part)
          produced.bytes.wrappingAdd(part.readableBytes, ordering: .relaxed)
        }
      }
    }
    // It goes beyond what a socket holds, and then no further.
    while produced.bytes.load(ordering: .relaxed) < ReportQueue.bytesMaximum { await Task.yield() }
    for _ in 0..<1000 { await Task.yield() }
    #expect(
      produced.bytes.load(ordering: .relaxed) <= ReportQueue.bytesMaximum + 2 * part.readableBytes)
    #expect(received.bytes.load(ordering: .relaxed) == 0)
    opening.finish()
    try await run.value
    #expect(received.bytes.load(ordering: .relaxed) == parts * part.readableBytes)
  }
}
