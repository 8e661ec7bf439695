import NIOCore
import Records
import RecordsWire

/// A channel handler that waits for the line with which `contacts-broker connect` begins, and skips what the
/// server's shell printed before it. Later handlers see the channel become active at the end of the line.
final class PreambleReader: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let host: String
  private let timeout: TimeAmount
  private let report: @Sendable (ShellText) -> Void
  private var received: [UInt8] = []
  private var deadline: Scheduled<Void>?

  /// - Parameters:
  ///   - host: The server's name, for errors.
  ///   - timeout: The time after which the line must have arrived.
  ///   - report: Receives the text before the line, if there is any.
  init(host: String, timeout: TimeAmount, report: @escaping @Sendable (ShellText) -> Void) {
    self.host = host
    self.timeout = timeout
    self.report = report
  }

  func channelActive(context: ChannelHandlerContext) {
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [self] in
      fail(
        context,
        RecordsError(
          .networkUnavailable, "“\(host)” did not answer over ssh in time.", retryAfterSeconds: 5))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    // The line must begin within the limit, however the bytes are split into reads.
    let limit = ConnectPreamble.precedingBytesMaximum
    guard let range = received.firstRange(of: ConnectPreamble.line), range.lowerBound <= limit
    else {
      if received.count >= limit + ConnectPreamble.line.count { fail(context, unexpectedText) }
      return
    }
    deadline?.cancel()
    let text = PrintedText.line(received[..<range.lowerBound])
    if !text.isEmpty { report(ShellText(host: host, text: text)) }
    let rest = received[range.upperBound...]
    context.fireChannelActive()
    if !rest.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest))) }
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    if !received.isEmpty { fail(context, unexpectedText) }
    context.fireChannelInactive()
  }

  private func fail(_ context: ChannelHandlerContext, _ error: RecordsError) {
    deadline?.cancel()
    received = []
    context.fireErrorCaught(error)
  }

  private var unexpectedText: RecordsError {
    let text = PrintedText.line(received)
    return RecordsError(
      .networkUnavailable,
      "The shell on “\(host)” printed “\(text)” instead of starting “contacts-broker connect”.",
      hint: "Check the shell and the forced command of the user on the server.",
      retryAfterSeconds: 5)
  }
}
