import NIOCore
import NIOEmbedded
import PredicateWorld
import Records
import RecordsWire
import Synchronization
import Testing

@testable import BrokerLinks

@Suite("R1 the line before the frames")
struct PreambleReaderTests {
  /// What reaches the handlers after the reader.
  private final class Recorder: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let openings = Mutex(0)
    let bytes = Mutex<[UInt8]>([])
    let errors = Mutex<[RecordsError]>([])
    let texts = Mutex<[String]>([])

    func channelActive(context: ChannelHandlerContext) { openings.withLock { $0 += 1 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let read = Array(unwrapInboundIn(data).readableBytesView)
      bytes.withLock { $0 += read }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if let error = error as? RecordsError { errors.withLock { $0.append(error) } }
    }
  }

  private func channel(_ recorder: Recorder) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let reader = PreambleReader(host: "server", timeout: .seconds(10)) { text in
      recorder.texts.withLock { $0.append("\(text.host): \(text.text)") }
    }
    try channel.pipeline.syncOperations.addHandlers([reader, recorder])
    channel.pipeline.fireChannelActive()
    return channel
  }

  private func write(_ bytes: [UInt8], to channel: EmbeddedChannel, each count: Int) throws {
    for start in stride(from: 0, to: bytes.count, by: count) {
      try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(start + count, bytes.count)]))
    }
  }

  @Test(arguments: [1, 2, 5, 25, 26, 27, 1000])
  func `what follows the line passes, and what precedes it is reported`(count: Int) throws {
    for text in ["", "Welcome!\r\n", "contacts-broker connect 2\n", "contacts-contacts-"] {
      let recorder = Recorder()
      let channel = try channel(recorder)
      let frames = Array(0...99) + ConnectPreamble.line
      try write(Array(text.utf8) + ConnectPreamble.line + frames, to: channel, each: count)
      #expect(recorder.openings.withLock(\.self) == 1)
      #expect(recorder.bytes.withLock(\.self) == frames)
      let expected = PrintedText.line(Array(text.utf8))
      #expect(recorder.texts.withLock(\.self) == (text.isEmpty ? [] : ["server: \(expected)"]))
      channel.embeddedEventLoop.advanceTime(by: .seconds(60))
      #expect(recorder.errors.withLock(\.self).isEmpty)
    }
  }

  @Test(arguments: [-1, 0, 1], [13, 10_000])
  func `the line begins within the limit, however the bytes are split`(excess: Int, count: Int)
    throws
  {
    let recorder = Recorder()
    let channel = try channel(recorder)
    let text = [UInt8](repeating: 0x78, count: ConnectPreamble.precedingBytesMaximum + excess)
    try write(text + ConnectPreamble.line, to: channel, each: count)
    #expect(recorder.openings.withLock(\.self) == (excess > 0 ? 0 : 1))
    #expect(recorder.errors.withLock(\.self).count == (excess > 0 ? 1 : 0))
  }

  @Test func `a server that does not answer, or that says something else, is an error`() throws {
    let silent = Recorder()
    let waiting = try channel(silent)
    waiting.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(silent.errors.withLock(\.self).isEmpty)
    waiting.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(
      silent.errors.withLock(\.self).map(\.message) == ["“server” did not answer over ssh in time."]
    )

    let other = Recorder()
    let channel = try channel(other)
    try write(Array("Account\u{1B}  expired.\n".utf8), to: channel, each: 3)
    channel.pipeline.fireChannelInactive()
    let messages = other.errors.withLock { $0.map(\.message) }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("printed “Account expired.” instead") == true)
    #expect(other.openings.withLock(\.self) == 0)
  }
}
