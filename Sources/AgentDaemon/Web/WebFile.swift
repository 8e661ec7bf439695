// The files of the page, which are part of the program.

import CWebPage
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// A file of the web page.
struct WebFile: Sendable {
  /// A form in which a file is sent.
  struct Form: Sendable {
    let bytes: [UInt8]
    /// The entity tag, by which a browser asks whether its copy is current. Each form has its own.
    let tag: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let digest = SHA256.hash(data: bytes).prefix(16)
      tag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }
  }

  let plain: Form
  /// The file compressed by gzip.
  let compressed: Form?
  let mediaType: String

  private init(_ bytes: [UInt8], _ mediaType: String) {
    plain = Form(bytes)
    compressed = Gzip.compressed(bytes).map { Form($0) }
    self.mediaType = mediaType
  }

  /// The files by their paths.
  static let all: [String: WebFile] = {
    var count: Int32 = 0
    let stored = UnsafeBufferPointer(start: web_page_files(&count), count: Int(count))
    var files: [String: WebFile] = [:]
    for file in stored {
      let (name, text) = (String(cString: file.name), String(cString: file.text))
      let path = name == "index.html" ? "/" : "/\(name)"
      files[path] = WebFile(Array(text.utf8), mediaType(of: name))
    }
    return files
  }()

  private static func mediaType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: preconditionFailure("The file \(name) of the web page has no media type.")
    }
  }

  /// Returns the response to a request for a file.
  static func response(to request: Request) -> Response {
    guard let file = all[request.uri.path] else {
      return ErrorResponse.make(RecordsError(.unknownItem, "This path does not exist."))
    }
    let accepted = request.headers[values: .acceptEncoding].joined(separator: ",")
    let compressed = accepts(gzip: accepted) ? file.compressed : nil
    let form = compressed ?? file.plain
    var headers: HTTPFields = [.eTag: form.tag, .cacheControl: "no-cache"]
    headers[.vary] = "Accept-Encoding"
    let known = request.headers[.ifNoneMatch].map { $0.split(separator: ",") } ?? []
    guard !known.contains(where: { $0.drop { $0 == " " } == form.tag }) else {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = file.mediaType
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: form.bytes)))
  }

  /// Whether a header `Accept-Encoding` names gzip, and does not exclude it with the weight 0.
  private static func accepts(gzip header: String) -> Bool {
    header.lowercased().split(separator: ",").contains { coding in
      let words = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard words.first == "gzip" else { return false }
      return !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }
}
