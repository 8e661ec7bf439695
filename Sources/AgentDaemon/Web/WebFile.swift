// The files of the page. They are part of the program, because an installed program is one file.

import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// A file of the web page.
struct WebFile: Sendable {
  let bytes: [UInt8]
  let mediaType: String
  /// The entity tag, by which a browser asks whether its copy is current.
  let tag: String

  private init(_ bytes: [UInt8], _ mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    let digest = SHA256.hash(data: bytes).prefix(16)
    tag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
  }

  private static func page(_ bytes: [UInt8]) -> WebFile {
    WebFile(bytes, "text/html; charset=utf-8")
  }

  /// The files by their paths. A new file of the folder Page needs a line.
  static let all: [String: WebFile] = ["/": page(PackageResources.index_html)]

  /// Returns the response to a request for a file.
  static func response(to request: Request) -> Response {
    guard let file = all[request.uri.path] else {
      return ErrorResponse.make(RecordsError(.unknownItem, "This path does not exist."))
    }
    let headers: HTTPFields = [.eTag: file.tag, .cacheControl: "no-cache"]
    let known = request.headers[.ifNoneMatch].map { $0.split(separator: ",") } ?? []
    guard !known.contains(where: { $0.drop { $0 == " " } == file.tag }) else {
      return Response(status: .notModified, headers: headers)
    }
    var response = Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    response.headers[.contentType] = file.mediaType
    return response
  }
}
