// Requests with an Idempotency-Key. A client that did not receive the response repeats the request with its
// key. The key was stored together with the edit, so the edit is not applied again, and the response is
// written again from the stored result.

import AgentAPI
import DeviceStore
import Foundation
import HTTPTypes
import Hummingbird
import Records
import Synchronization

/// The request that the current task handles.
final class KeyedRequest: Sendable {
  /// The request; `nil` if it has no key.
  @TaskLocal static var current: KeyedRequest?

  /// The maximum length of a key.
  static let keyBytesMaximum = 255

  let key: RequestKey
  private let hasBegun = Mutex(false)

  init(_ key: RequestKey) {
    self.key = key
  }

  /// Prepares `replica` for an edit of the current task's request: the edit stores the key.
  /// - Throws: The stored answer (`AnsweredRequest`) if the request was carried out before.
  static func editBegins(_ replica: Replica) throws {
    guard let request = current else { return }
    if request.begins(), let answer = try replica.ownReader.answered(request.key) { throw answer }
    replica.answering = request.key
  }

  /// Returns whether this is the request's first edit; a request may have several.
  private func begins() -> Bool {
    hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
  }
}

extension AgentRoutes {
  /// Answers `request` with `body`, or from the stored result if its key is known.
  func respondOnce(
    to request: Request, _ body: (Request) async throws -> Response
  ) async throws -> Response {
    let isWrite = [.post, .put, .patch, .delete].contains(request.method)
    guard isWrite, let text = request.headers[.idempotencyKey] else {
      return try await body(request)
    }
    var request = request
    let key = try await Self.key(text, of: &request)
    do {
      if let answered = try reader.answered(key) { throw answered }
      return try await KeyedRequest.$current.withValue(KeyedRequest(key)) {
        try await body(request)
      }
    } catch let answered as AnsweredRequest {
      return try response(repeating: answered, to: request)
    }
  }

  /// Returns the key of `request`. A short body is read, because its content is part of the key.
  private static func key(_ text: String, of request: inout Request) async throws -> RequestKey {
    guard (1...KeyedRequest.keyBytesMaximum).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw RecordsError.invalid(
        "\(AgentHeader.idempotencyKey) must have 1 to \(KeyedRequest.keyBytesMaximum) printable "
          + "ASCII characters.",
        field: AgentHeader.idempotencyKey)
    }
    var fingerprint = Fingerprint()
    fingerprint.add(request.method.rawValue)
    fingerprint.add(request.uri.string)
    let length = request.headers[.contentLength].flatMap { Int($0) }
    fingerprint.add(UInt64(bitPattern: Int64(length ?? -1)))
    // A longer body is a picture, identified by its length.
    if let length, (0...bodyBytesMax).contains(length) {
      let buffer = try await request.body.collect(upTo: bodyBytesMax)
      fingerprint.add(Array(buffer.readableBytesView))
      request.body = RequestBody(buffer: buffer)
    }
    return RequestKey(text: text, fingerprint: fingerprint.value)
  }

  /// Returns the response to a request that was carried out before: the current contact or group if the
  /// request was about one; otherwise only that it was carried out.
  private func response(
    repeating answered: AnsweredRequest, to request: Request
  ) throws -> Response {
    var response = try shown(answered, request)
    response.headers[.idempotencyReplayed] = "true"
    return response.undone(by: answered.action)
  }

  private func shown(_ answered: AnsweredRequest, _ request: Request) throws -> Response {
    guard request.method != .delete else { return .done(undoneBy: answered.action) }
    let status: HTTPResponse.Status = request.method == .post ? .created : .ok
    let path = request.uri.path.split(separator: "/")
    let isOneThing = path.count == (request.method == .post ? 2 : 3)
    let area = path.dropFirst().first.map { AgentPath(String($0)) }
    switch (area, answered.record, answered.zone) {
    case (.contacts, let record?, _) where isOneThing:
      return try self.response(to: written(record), status: status)
    case (.groups, nil, let zone?) where isOneThing:
      return try self.response(to: zone, status: status)
    default:
      return try .json(RepeatedView(repeated: true, action: answered.action))
    }
  }
}
