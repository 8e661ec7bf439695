// A client can ask before it sends a large body (RFC 9110, section 10.1.1). Without an answer it waits a second.

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue`.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A body that would be refused is not asked for.
    if case .head(let head) = unwrapInboundIn(data),
      head.headerFields[.expect]?.lowercased() == "100-continue",
      head.headerFields[.authorization] != nil,
      head.headerFields[.contentLength].flatMap({ Int($0) }) ?? 0
        <= CollectionProperties.cardBytesMaximum
    {
      let answer = HTTPResponse(status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    }
    context.fireChannelRead(data)
  }
}
