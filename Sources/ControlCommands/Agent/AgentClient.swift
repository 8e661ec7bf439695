// HTTP over the agent's Unix socket. One event loop thread, no retries of our own making: the
// agent is on this machine, and either answers or is not there.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Records

/// How something is sent to the agent.
enum AgentMethod: Sendable {
  /// Make, or do.
  case post
  /// Set.
  case put
  /// Change in part.
  case patch
  /// Delete.
  case delete

  fileprivate var http: HTTPMethod {
    switch self {
    case .post: .POST
    case .put: .PUT
    case .patch: .PATCH
    case .delete: .DELETE
    }
  }
}

/// Asks the agent.
struct AgentClient: Sendable {
  /// The most a reply may hold; a whole address book of 100,000 contacts is about 60 MB.
  private static let replyBytesMax = 512 << 20

  let address: AgentAddress
  private let http: HTTPClient

  /// A client of the agent at `address`; connects when something is asked.
  init(address: AgentAddress) {
    self.address = address
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(5)
    http = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      configuration: configuration)
  }

  /// Closes the connection; nothing may be asked afterwards.
  func close() async {
    // The process ends next: what cannot be closed in good order the kernel closes.
    try? await http.shutdown()
  }

  /// Reads what is at `path`.
  func get(
    _ path: [String], query: [(String, String)] = []
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(.GET, path, query: query, body: nil, timeoutSeconds: 60)
  }

  /// Sends `body` to `path`.
  func send(
    _ method: AgentMethod, _ path: [String], query: [(String, String)] = [],
    body: (any Encodable & Sendable)? = nil, ifMatch version: String? = nil,
    timeoutSeconds: Int64 = 60
  ) async throws(ControlFailure) -> AgentReply {
    var encoded: ByteBuffer?
    if let body {
      do {
        encoded = ByteBuffer(bytes: try JSONEncoder().encode(body))
      } catch {
        throw .error(.internalError, "The request could not be written: \(error).")
      }
    }
    return try await ask(
      method.http, path, query: query, body: encoded, version: version,
      timeoutSeconds: timeoutSeconds)
  }

  /// Sends a file's bytes to `path`.
  func put(
    _ path: [String], bytes: [UInt8], mediaType: String
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(
      .PUT, path, query: [], body: ByteBuffer(bytes: bytes), mediaType: mediaType,
      timeoutSeconds: 120)
  }

  /// Sends a file's bytes to make something of it.
  func post(
    _ path: [String], query: [(String, String)], bytes: [UInt8], mediaType: String
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(
      .POST, path, query: query, body: ByteBuffer(bytes: bytes), mediaType: mediaType,
      timeoutSeconds: 120)
  }

  /// Opens a stream of events behind number `since`; `nil` begins with what comes.
  func events(
    _ path: [String], since: Int64?
  ) async throws(ControlFailure) -> HTTPClientResponse.Body {
    var request = HTTPClientRequest(url: url(path, query: []))
    request.headers.add(name: "accept", value: "text/event-stream")
    if let since { request.headers.add(name: "last-event-id", value: String(since)) }
    let response = try await execute(request, deadline: .distantFuture)
    guard response.status == .ok else {
      throw try await AgentReply(response, bytesMax: 1 << 20).failure()
    }
    return response.body
  }

  /// Sends a file as it is read, and opens the report that comes back meanwhile.
  func importing(
    _ file: FileChunks, query: [(String, String)]
  ) async throws(ControlFailure) -> HTTPClientResponse.Body {
    var request = HTTPClientRequest(url: url(["import"], query: query))
    request.method = .POST
    request.body = .stream(file, length: .unknown)
    return try await stream(request).body
  }

  /// Opens the address book as a file.
  /// - Returns: the file, and how many pictures and sounds it lacks because they cannot be had now.
  func exporting(
    query: [(String, String)]
  ) async throws(ControlFailure) -> (body: HTTPClientResponse.Body, missing: Int) {
    let response = try await stream(HTTPClientRequest(url: url(["export"], query: query)))
    let missing = response.headers.first(name: "media-missing").flatMap { Int($0) }
    return (response.body, missing ?? 0)
  }

  private func stream(
    _ request: HTTPClientRequest
  ) async throws(ControlFailure) -> HTTPClientResponse {
    let response = try await execute(request, deadline: .distantFuture)
    guard response.status == .ok else {
      throw try await AgentReply(response, bytesMax: 1 << 20).failure()
    }
    return response
  }

  private func ask(
    _ method: HTTPMethod, _ path: [String], query: [(String, String)], body: ByteBuffer?,
    mediaType: String = "application/json", version: String? = nil, timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    var request = HTTPClientRequest(url: url(path, query: query))
    request.method = method
    if let body {
      request.body = .bytes(body)
      request.headers.add(name: "content-type", value: mediaType)
    }
    if let version { request.headers.add(name: "if-match", value: version) }
    let response = try await execute(request, deadline: .now() + .seconds(timeoutSeconds))
    let reply = try await AgentReply(response, bytesMax: Self.replyBytesMax)
    guard (200..<300).contains(response.status.code) else { throw reply.failure() }
    return reply
  }

  private func execute(
    _ request: HTTPClientRequest, deadline: NIODeadline
  ) async throws(ControlFailure) -> HTTPClientResponse {
    do {
      return try await http.execute(request, deadline: deadline)
    } catch let error as HTTPClientError where error == .deadlineExceeded {
      throw .error(.serviceUnavailable, "The agent did not answer in time.", hint: "Try again.")
    } catch {
      throw .unreachable(address, reason: Self.reason(of: error))
    }
  }

  private func url(_ path: [String], query: [(String, String)]) -> String {
    let host = Self.escaped(address.path)
    var url = "http+unix://\(host)/v1/" + path.map(Self.escaped).joined(separator: "/")
    if !query.isEmpty {
      url += "?" + query.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
    }
    return url
  }

  /// Percent-encodes everything but RFC 3986's unreserved characters.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func reason(of error: any Error) -> String {
    let number = (error as? IOError)?.errnoCode
    return number.map { String(cString: strerror($0)) } ?? String(describing: error)
  }
}

/// What the agent answered.
struct AgentReply: Sendable {
  /// The body, JSON.
  let bytes: [UInt8]
  /// Where the next page begins, for a list that goes on; told in the head too, so that a page
  /// need not be opened to be handed on.
  var next: String?
  /// Which state of the thing this is, for `If-Match`.
  var version: String?
  /// The number under which what was done can be undone.
  var action: String?
  /// What the body is, for one that is not JSON: of a picture what its bytes say, looked at by the
  /// agent, and not what somebody says of it.
  var mediaType: String?

  /// A reply with this body.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a response to its end.
  init(_ response: HTTPClientResponse, bytesMax: Int) async throws(ControlFailure) {
    do {
      let buffer = try await response.body.collect(upTo: bytesMax)
      bytes = Array(buffer.readableBytesView)
      next = response.headers.first(name: "next-cursor")
      version = response.headers.first(name: "etag")
      action = response.headers.first(name: "undo-action")
      mediaType = response.headers.first(name: "content-type")
    } catch {
      throw .error(.serverResponseLost, "The agent's answer broke off.", hint: "Try again.")
    }
  }

  /// The body as a value of a known form.
  func decoded<Form: Decodable>(as form: Form.Type) throws(ControlFailure) -> Form {
    do {
      return try JSONDecoder().decode(form, from: Data(bytes))
    } catch {
      throw .error(
        .incompatibleVersion, "The agent's answer has an unexpected form.",
        hint: "Is contactsd of the same version as contactsctl?")
    }
  }

  /// The error the body tells of.
  func failure() -> ControlFailure {
    guard let view = try? JSONDecoder().decode(ErrorView.self, from: Data(bytes)) else {
      return .error(
        .incompatibleVersion, "The agent refused, in a form this version does not know.",
        hint: "Is contactsd of the same version as contactsctl?")
    }
    return view.failure
  }
}
