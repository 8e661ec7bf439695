import Foundation
import NIOCore
import NIOHTTP1

/// A request of a test.
struct HTTPTestRequest: Sendable {
  let method: HTTPMethod
  /// The path and the query. Characters that they cannot contain are percent-encoded when the request is sent.
  let path: String
  var headers: HTTPHeaders
  /// The chunks of the body. A body of one chunk states its length instead.
  var chunks: [ByteBuffer] = []

  init(_ method: HTTPMethod, _ path: String, headers: [String: String] = [:]) {
    (self.method, self.path) = (method, path)
    self.headers = HTTPHeaders(headers.map { ($0.key, $0.value) })
  }

  init(
    _ method: HTTPMethod, _ path: String, headers: [String: String] = [:], body: String?
  ) {
    self.init(method, path, headers: headers)
    if let body { chunks = [ByteBuffer(string: body)] }
  }

  init(_ method: HTTPMethod, _ path: String, headers: [String: String] = [:], bytes: [UInt8]) {
    self.init(method, path, headers: headers)
    chunks = [ByteBuffer(bytes: bytes)]
  }

  /// Returns the request line and all headers, for a server named `host`.
  func head(host: String) throws -> HTTPRequestHead {
    guard let url = URLComponents(string: "http://\(host)\(path)") else {
      throw HTTPTestFailure.invalidURL(path)
    }
    let target = url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
    var headers = headers
    if !headers.contains(name: "Host") { headers.add(name: "Host", value: host) }
    if chunks.count > 1 {
      headers.add(name: "Transfer-Encoding", value: "chunked")
    } else if let length = chunks.first?.readableBytes, length > 0 {
      headers.add(name: "Content-Length", value: String(length))
    } else if ![.GET, .HEAD, .DELETE, .TRACE].contains(method) {
      headers.add(name: "Content-Length", value: "0")
    }
    return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
  }
}
