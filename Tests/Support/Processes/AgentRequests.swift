// HTTP requests to an agent over its socket. Tests use them where a process of `contactsctl` for each request
// would be too slow or too late.

import Foundation
import Records

/// Sends requests to the agent at a socket.
package struct AgentRequests: Sendable {
  /// The path at which the agent listens.
  package let socketPath: String

  package init(socketPath: String) {
    self.socketPath = socketPath
  }

  /// The status and the body of a response.
  package struct Answer: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The bytes after the header.
    package let body: Data

    /// Returns the body, decoded as `type`.
    package func decoded<Content: Decodable>(as type: Content.Type) throws -> Content {
      try JSONDecoder().decode(type, from: body)
    }
  }

  /// Sends a request and waits for the response.
  /// - Throws: `networkUnavailable` if the agent does not listen or ends before it answers.
  @discardableResult
  package func send(_ method: String, _ path: String, _ body: String = "") async throws -> Answer {
    let socket = try UnixSocket(path: socketPath)
    let request =
      "\(method) /v1/\(path) HTTP/1.1\r\nHost: agent\r\nConnection: close\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    guard socket.sendSome(Array(request.utf8)[...]) == request.utf8.count else {
      throw Self.unavailable
    }
    var bytes: [UInt8] = []
    return try await Patience.wait(for: "the answer to \(method) \(path)") {
      while let chunk = socket.receiveSome() {
        if chunk.isEmpty { return nil }
        bytes += chunk
      }
      guard let answer = Answer(bytes) else { throw Self.unavailable }
      return answer
    }
  }

  private static let unavailable = RecordsError(
    .networkUnavailable, "The agent went without an answer.")

  /// Adds a contact and returns its id.
  package func add(first: String, company: String = "") async throws -> String {
    try await add(json: #"{"firstName":"\#(first)","company":"\#(company)"}"#)
  }

  /// Adds the contact that the JSON text describes and returns its id.
  package func add(json: String) async throws -> String {
    let answer = try await send("POST", "contacts", json)
    guard answer.status == 201 else { throw Self.refused(answer) }
    return try answer.decoded(as: ContactRow.self).id
  }

  /// Sets a contact's company.
  package func setCompany(of id: String, to company: String) async throws {
    let answer = try await send("PATCH", "contacts/\(id)", #"{"company":"\#(company)"}"#)
    guard answer.status == 200 else { throw Self.refused(answer) }
  }

  private static func refused(_ answer: Answer) -> RecordsError {
    RecordsError(
      .invalidArguments, "\(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
  }

  /// Returns the agent's status.
  package func status() async throws -> StatusRow {
    try await send("GET", "status").decoded(as: StatusRow.self)
  }

  /// Returns a contact; `nil` if there is none.
  package func contact(_ id: String) async throws -> ContactRow? {
    let answer = try await send("GET", "contacts/\(id)")
    return answer.status == 404 ? nil : try answer.decoded(as: ContactRow.self)
  }

  /// Returns all contacts, page by page.
  package func contacts() async throws -> [ContactRow] {
    var rows: [ContactRow] = []
    var query = "limit=1000"
    while true {
      let page = try await send("GET", "contacts?\(query)").decoded(as: ContactPage.self)
      rows += page.contacts
      guard let next = page.next else { return rows }
      query = "limit=1000&cursor=\(next)"
    }
  }
}

extension AgentRequests.Answer {
  fileprivate init?(_ bytes: [UInt8]) {
    let bytes = Data(bytes)
    guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    guard let code = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      return nil
    }
    let length = head.lowercased().split(separator: "\r\n")
      .first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
    let body = bytes[end.upperBound...]
    guard body.count >= length ?? 0 else { return nil }
    status = code
    self.body = Data(body)
  }
}
