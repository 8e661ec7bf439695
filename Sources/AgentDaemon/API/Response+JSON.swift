import AgentAPI
import HTTPTypes
import Hummingbird

extension Response {
  /// Creates a response with the JSON of `body`.
  /// - Parameter capacity: The expected number of bytes, which are reserved at once.
  static func json(
    _ body: some Encodable, status: HTTPResponse.Status = .ok, reservingBytes capacity: Int = 1024
  ) throws -> Response {
    Response(
      json: try OrderedJSON.bytes(of: body, reservingBytes: capacity), status: status)
  }

  /// Creates a response with this JSON.
  init(json: [UInt8], status: HTTPResponse.Status) {
    self.init(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }

  /// Returns an empty response to a write that can be undone by this number.
  static func done(undoneBy action: Int64?) -> Response {
    Response(status: .noContent).undone(by: action)
  }

  /// Returns the response to a write with the number by which it can be undone; `nil` if nothing changed.
  func undone(by action: Int64?) -> Response {
    var response = self
    if let action { response.headers[.undoAction] = String(action) }
    return response
  }
}

extension OrderedJSON {
  /// Returns the JSON of a value that contains only texts, numbers and lists of them, so that encoding cannot fail.
  static func certainBytes(of value: some Encodable) -> [UInt8] {
    do {
      return try bytes(of: value)
    } catch {
      preconditionFailure("\(type(of: value)) cannot be encoded: \(error)")
    }
  }
}
