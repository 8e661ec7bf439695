// HTTP over the agent's Unix socket, on one event loop thread. A question is asked once: the agent is on
// this machine, and either answers or is not there. A change whose answer was lost is sent once more,
// under the same Idempotency-Key, so that it is made once.

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

  /// How long an agent that went away with a change is waited for.
  private static let returnSeconds = 10

  let address: AgentAddress
  private let saved: SavedChanges
  private let http: HTTPClient

  /// A client of the agent at `address`; connects when something is asked. What the agent confirms is
  /// noted in `saved`.
  init(address: AgentAddress, saved: SavedChanges = SavedChanges()) {
    self.address = address
    self.saved = saved
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

  /// Opens a stream of events behind the event of id or number `since`; `nil` begins with what comes.
  func events(
    _ path: [String], since: String?
  ) async throws(ControlFailure) -> HTTPClientResponse.Body {
    var request = HTTPClientRequest(url: url(path, query: []))
    request.headers.add(name: "accept", value: "text/event-stream")
    if let since { request.headers.add(name: "last-event-id", value: since) }
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
    guard method != .GET else { return try await answer(to: request, timeoutSeconds) }
    request.headers.add(name: "idempotency-key", value: UUID().uuidString)
    let reply = try await change(request, timeoutSeconds)
    if reply.saysChange || method != .POST {
      saved.note(id: (try? reply.decoded(as: IdentifiedView.self))?.id)
    }
    return reply
  }

  private func answer(
    to request: HTTPClientRequest, _ timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    let response = try await execute(request, deadline: .now() + .seconds(timeoutSeconds))
    let reply = try await AgentReply(response, bytesMax: Self.replyBytesMax)
    guard (200..<300).contains(response.status.code) else { throw reply.failure() }
    return reply
  }

  /// Sends a change; once more, if its answer was lost.
  private func change(
    _ request: HTTPClientRequest, _ timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    do {
      return try await answer(to: request, timeoutSeconds)
    } catch {
      guard error.code == ErrorCode.serverResponseLost.rawValue, error.exitCode == .tryLater else {
        throw error
      }
    }
    guard await isBack() else { throw .changeUnknown(address) }
    let reply: AgentReply
    do {
      reply = try await answer(to: request, timeoutSeconds)
    } catch {
      guard [.unreachable, .tryLater].contains(error.exitCode) else { throw error }
      throw .changeUnknown(address)
    }
    if reply.isReplayed, (try? reply.decoded(as: RepeatedView.self))?.repeated == true {
      throw .changeRepeated(action: reply.action)
    }
    return reply
  }

  /// Waits until an agent answers that keeps the keys of changes as this version does.
  private func isBack() async -> Bool {
    for _ in 0..<(Self.returnSeconds * 5) {
      if let status = try? await get(["status"]),
        let view = try? status.decoded(as: AgentVersionView.self)
      {
        return view.version == ProgramVersion.text
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
    return false
  }

  private func execute(
    _ request: HTTPClientRequest, deadline: NIODeadline
  ) async throws(ControlFailure) -> HTTPClientResponse {
    do {
      return try await http.execute(request, deadline: deadline)
    } catch let error as HTTPClientError where error == .deadlineExceeded {
      throw .error(.serviceUnavailable, "contactsd did not answer in time.", hint: "Try again.")
    } catch {
      if Self.isAnswerLost(error) { throw .answerLost() }
      throw .unreachable(address, reason: Self.reason(of: error))
    }
  }

  /// Whether the agent may have read the request before the connection broke.
  private static func isAnswerLost(_ error: any Error) -> Bool {
    if let error = error as? HTTPClientError { return error == .remoteConnectionClosed }
    return [ECONNRESET, EPIPE].contains((error as? IOError)?.errnoCode)
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

/// The body of an answer that says no more than that a request was carried out before.
private struct RepeatedView: Decodable {
  let repeated: Bool
}

/// Which version the agent is.
private struct AgentVersionView: Decodable {
  let version: String
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
  /// Whether the answer is that of a request which was carried out before.
  var isReplayed = false
  /// Whether the agent says that it made or changed something.
  var saysChange = false
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
      isReplayed = response.headers.first(name: "idempotency-replayed") == "true"
      saysChange = response.status == .created || action != nil
      mediaType = response.headers.first(name: "content-type")
    } catch {
      throw .answerLost()
    }
  }

  /// The body as a value of a known form.
  func decoded<Form: Decodable>(as form: Form.Type) throws(ControlFailure) -> Form {
    do {
      return try JSONDecoder().decode(form, from: Data(bytes))
    } catch {
      throw .error(
        .incompatibleVersion, "contactsctl cannot read the answer of contactsd.",
        hint: "Install the same version of both programs and restart contactsd.")
    }
  }

  /// The error the body tells of.
  func failure() -> ControlFailure {
    guard let view = try? JSONDecoder().decode(ErrorView.self, from: Data(bytes)) else {
      return .error(
        .incompatibleVersion,
        "contactsd reported an error that this version of contactsctl cannot read.",
        hint: "Install the same version of both programs and restart contactsd.")
    }
    return view.failure
  }
}
