// HTTP over the agent's Unix socket, on one event loop thread. Reads are sent once: the agent is on this
// machine, so it answers or does not run. A change whose response is lost is sent once more, with the same
// Idempotency-Key, so that it is applied once.

import AgentAPI
import Foundation
import NIOCore
import NIOHTTP1
import Records

/// The method of a request with a body.
enum AgentMethod: Sendable {
  /// Creates something, or performs an action.
  case post
  /// Set.
  case put
  /// Changes some properties.
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

/// A client of the agent.
struct AgentClient: Sendable {
  /// The maximum size of a response. An address book of 100,000 contacts has about 60 MB.
  private static let replyBytesMax = 512 << 20

  /// How long to wait for an agent that stopped during a change.
  private static let returnSeconds = 10

  let address: AgentAddress
  private let saved: SavedChanges
  private let connections: AgentConnections

  /// Creates a client of the agent at `address`, which connects with the first request. It records confirmed
  /// changes in `saved`.
  init(address: AgentAddress, saved: SavedChanges = SavedChanges()) {
    self.address = address
    self.saved = saved
    connections = AgentConnections(path: address.path)
  }

  /// Connects to the agent for the first request, while the caller does something else.
  func prepare() {
    connections.prepare()
  }

  /// Closes the connections, if the process does not end next. Send no requests afterwards.
  func close() async {
    await connections.close()
  }

  /// Reads the resource at `path`.
  func get(
    _ path: AgentPath, query: [(String, String)] = []
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(.GET, path, query: query, body: nil, timeoutSeconds: 60)
  }

  /// Requests a page of the list at `path`, and does not wait for it.
  /// - Parameter former: The response with the page before, whose body is to be read first. The agent makes this page
  ///   meanwhile.
  func request(
    _ path: AgentPath, query: [(String, String)], following former: AgentResponse? = nil
  ) async throws(ControlFailure) -> AgentCall {
    let request = AgentRequest(.GET, Self.target(path, query: query))
    do {
      return try await connections.begin(request, seconds: 60, following: former)
    } catch {
      throw failure(error)
    }
  }

  /// Waits for the head of a response, which has the cursor of the next page.
  func response(to call: AgentCall) async throws(ControlFailure) -> AgentResponse {
    do {
      return try await connections.response(to: call)
    } catch {
      throw failure(error)
    }
  }

  /// Sends `body` to `path`.
  func send(
    _ method: AgentMethod, _ path: AgentPath, query: [(String, String)] = [],
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

  /// Deletes a contact that the user named, as a part of `action` if there is one.
  func deleteContact(
    _ id: String, in action: String?, ifMatch version: String? = nil
  ) async throws(ControlFailure) -> AgentReply {
    var query = [(AgentQuery.acknowledged, "true")]
    if let action { query.append((AgentQuery.action, action)) }
    return try await send(.delete, .contact(id), query: query, ifMatch: version)
  }

  /// Uploads a file to `path`.
  func put(
    _ path: AgentPath, bytes: [UInt8], mediaType: String
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(
      .PUT, path, query: [], body: ByteBuffer(bytes: bytes), mediaType: mediaType,
      timeoutSeconds: 120)
  }

  /// Uploads a file that the agent converts to another resource.
  func post(
    _ path: AgentPath, query: [(String, String)], bytes: [UInt8], mediaType: String
  ) async throws(ControlFailure) -> AgentReply {
    try await ask(
      .POST, path, query: query, body: ByteBuffer(bytes: bytes), mediaType: mediaType,
      timeoutSeconds: 120)
  }

  /// Opens a stream of events after the event with the id or number `since`; `nil` begins with the next
  /// event.
  func events(
    _ path: AgentPath, since: String?
  ) async throws(ControlFailure) -> AgentBody {
    var request = AgentRequest(.GET, Self.target(path, query: []))
    request.headers.add(name: "accept", value: "text/event-stream")
    if let since { request.headers.add(name: AgentHeader.lastEventID, value: since) }
    return try await stream(request).body
  }

  /// Uploads a file while it is read, and opens the report that arrives in the meantime.
  func importing(
    _ file: FileChunks, query: [(String, String)]
  ) async throws(ControlFailure) -> AgentBody {
    var request = AgentRequest(.POST, Self.target(.contactImport, query: query))
    request.body = .file(file)
    return try await stream(request).body
  }

  /// Opens the address book as a file.
  /// - Returns: The file, and the number of pictures and sounds that it lacks because they are not available
  ///   now.
  func exporting(
    query: [(String, String)]
  ) async throws(ControlFailure) -> (body: AgentBody, missing: Int) {
    let request = AgentRequest(.GET, Self.target(.contactExport, query: query))
    let response = try await stream(request)
    let missing = response.head.headers.first(name: AgentHeader.mediaMissing).flatMap { Int($0) }
    return (response.body, missing ?? 0)
  }

  private func stream(_ request: AgentRequest) async throws(ControlFailure) -> AgentResponse {
    let response = try await execute(request, seconds: nil)
    guard response.head.status == .ok else {
      throw try await AgentReply(response, bytesMax: 1 << 20).failure()
    }
    return response
  }

  private func ask(
    _ method: HTTPMethod, _ path: AgentPath, query: [(String, String)], body: ByteBuffer?,
    mediaType: String = "application/json", version: String? = nil, timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    // An empty part would make a path of another resource.
    guard !path.segments.contains("") else {
      throw .error(.unknownItem, "The id or title is empty.")
    }
    var request = AgentRequest(method, Self.target(path, query: query))
    if let body {
      request.body = .bytes(body)
      request.headers.add(name: "content-type", value: mediaType)
    }
    if let version { request.headers.add(name: "if-match", value: version) }
    guard method != .GET else { return try await answer(to: request, timeoutSeconds) }
    request.headers.add(name: AgentHeader.idempotencyKey, value: UUID().uuidString)
    let reply = try await change(request, timeoutSeconds)
    if reply.saysChange || method != .POST {
      saved.note(id: (try? reply.decoded(as: IdentifiedView.self))?.id)
    }
    return reply
  }

  private func answer(
    to request: AgentRequest, _ timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    try await reply(execute(request, seconds: timeoutSeconds))
  }

  /// Reads a response to its end.
  func reply(_ response: AgentResponse) async throws(ControlFailure) -> AgentReply {
    let reply = try await AgentReply(response, bytesMax: Self.replyBytesMax)
    guard (200..<300).contains(response.head.status.code) else { throw reply.failure() }
    return reply
  }

  /// Sends a change; again, if its response was lost.
  private func change(
    _ request: AgentRequest, _ timeoutSeconds: Int64
  ) async throws(ControlFailure) -> AgentReply {
    do {
      return try await answer(to: request, timeoutSeconds)
    } catch {
      guard error.code == RecordsError.Code.serverResponseLost.rawValue, error.exitCode == .tryLater
      else {
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

  /// Waits for an agent that stores the keys of changes in the same way as this version.
  private func isBack() async -> Bool {
    for _ in 0..<(Self.returnSeconds * 5) {
      if let status = try? await get(.status),
        let view = try? status.decoded(as: StatusView.self)
      {
        return view.version == ProgramVersion.text
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
    return false
  }

  private func execute(
    _ request: AgentRequest, seconds: Int64?
  ) async throws(ControlFailure) -> AgentResponse {
    do {
      return try await connections.send(request, seconds: seconds)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> ControlFailure {
    if case AgentExchange.Failure.deadlineExceeded = error {
      return .error(.serviceUnavailable, "contactsd did not answer in time.", hint: "Try again.")
    }
    if Self.isAnswerLost(error) { return .answerLost() }
    return .unreachable(
      address, reason: Self.reason(of: error),
      isForbidden: [EACCES, EPERM].contains((error as? IOError)?.errnoCode))
  }

  /// Whether the agent may have read the request before the connection broke.
  private static func isAnswerLost(_ error: any Error) -> Bool {
    if case AgentExchange.Failure.closed = error { return true }
    return [ECONNRESET, EPIPE].contains((error as? IOError)?.errnoCode)
  }

  /// Returns the target of a request: the path and the query, percent-encoded.
  static func target(_ path: AgentPath, query: [(String, String)]) -> String {
    let target = AgentPath(path.segments.map(escaped)).pattern
    if query.isEmpty { return target }
    return target + "?" + query.map { "\($0.0)=\(escaped($0.1))" }.joined(separator: "&")
  }

  /// Percent-encodes all characters except the unreserved ones of RFC 3986.
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

extension AgentResponse {
  /// The cursor of the next page. It is also in the body; a header arrives sooner, and nothing has to be parsed.
  var next: String? { head.headers.first(name: AgentHeader.nextCursor) }
  /// The bytes of the body; 0 if the head does not tell.
  var byteCount: Int { head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0 }
}

/// A response of the agent.
struct AgentReply: Sendable {
  /// The body as JSON.
  let bytes: [UInt8]
  /// The cursor of the next page.
  var next: String?
  /// The version of the resource, for `If-Match`.
  var version: String?
  /// The number for undoing the change.
  var action: String?
  /// Whether the response is that of a request which was carried out before.
  var isReplayed = false
  /// Whether the agent states that it created or changed something.
  var saysChange = false
  /// The media type of a body that is not JSON. For a picture the agent determines it from the bytes, not
  /// from what the author of the picture claims.
  var mediaType: String?

  /// Creates a response with this body.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a response to its end.
  init(_ response: AgentResponse, bytesMax: Int) async throws(ControlFailure) {
    do {
      bytes = try await response.body.collect(upTo: bytesMax)
    } catch {
      throw .answerLost()
    }
    let headers = response.head.headers
    next = response.next
    version = headers.first(name: "etag")
    action = headers.first(name: AgentHeader.undoAction)
    isReplayed = headers.first(name: AgentHeader.idempotencyReplayed) == "true"
    saysChange = response.head.status == .created || action != nil
    mediaType = headers.first(name: "content-type")
  }

  /// Decodes the body.
  func decoded<Form: Decodable>(as form: Form.Type) throws(ControlFailure) -> Form {
    do {
      return try JSONDecoder().decode(form, from: Data(bytes))
    } catch {
      throw .unreadableAnswer()
    }
  }

  /// The error in the body.
  func failure() -> ControlFailure {
    guard let view = try? JSONDecoder().decode(ErrorView.self, from: Data(bytes)) else {
      return .error(
        .incompatibleVersion,
        "contactsd reported an error that this version of contactsctl cannot read.",
        hint: "Install the same version of both programs and restart contactsd.")
    }
    return ControlFailure(view.error)
  }
}
