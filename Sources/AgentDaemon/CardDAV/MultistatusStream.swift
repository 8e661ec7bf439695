// Sends a multistatus document while it is written: the cards of a large book do not fit in memory at once.

import CardDAV
import Hummingbird
import NIOCore

/// A multistatus document that is being sent.
struct MultistatusStream {
  /// The number of bytes that are sent together.
  private static let pieceBytes = 64 << 10

  /// The document.
  var document: Multistatus
  private var writer: any ResponseBodyWriter

  /// Sends the bytes written so far, if they are many.
  mutating func flush() async throws {
    guard let bytes = document.takeBytes(atLeast: Self.pieceBytes) else { return }
    try await writer.write(ByteBuffer(bytes: bytes))
  }

  /// Returns a response whose document `body` writes. What can fail must fail before: once a part is sent, an error
  /// ends the connection.
  /// - Parameter body: Returns the sync token at the end of the document, if it has one.
  static func response(
    to request: CardDAVRequest,
    _ body: @escaping @Sendable (inout MultistatusStream) async throws -> String?
  ) -> Response {
    let isMinimal = request.isMinimal
    return Response(
      status: .multi,
      headers: [.contentType: "application/xml; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        var stream = MultistatusStream(
          document: Multistatus(isMinimal: isMinimal), writer: writer)
        let token = try await body(&stream)
        try await stream.writer.write(ByteBuffer(bytes: stream.document.finish(token: token)))
        try await stream.writer.finish(nil)
      })
  }
}
