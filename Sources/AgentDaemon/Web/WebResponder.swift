// Answers the requests of the web page: its files, the exchange of a link for a session, proofs, QR codes, and the agent's
// routes.

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// Answers requests on the web page's listener.
final class WebResponder: Sendable {
  /// The body of a request for a session.
  struct SessionForm: Decodable {
    var token: String
  }

  /// The body of its response.
  struct SessionView: Encodable {
    var token: String
  }

  /// The body of a request for a proof.
  struct ProofForm: Decodable {
    /// Random hexadecimal digits, so that no old proof fits.
    var nonce: String
  }

  /// The body of its response: a proof for each session.
  struct ProofView: Encodable {
    var proofs: [String]
  }

  /// The maximum size of a request for a session, a proof or a code.
  private static let formBytesMaximum = 1024
  private static let nonceDigits = 64

  private let access: WebAccess
  private let door: WebDoor
  private let api: APIResponder

  init(access: WebAccess, door: WebDoor, api: APIResponder) {
    self.access = access
    self.door = door
    self.api = api
  }

  /// Returns the response to `request`, which came over `channel`.
  func response(to request: Request, over channel: any Channel) async -> Response {
    var response =
      switch door.decision(on: WebRequest(request, access), of: access) {
      case .file: WebFile.response(to: request)
      case .session: await answer { try await session(request) }
      case .proof: await answer { try await proof(request) }
      case .code: await answer { try await code(request) }
      case .call: await api.response(to: request, over: channel)
      case .refused(let refusal): refusal.response
      }
    WebHeaders.protect(&response)
    return response
  }

  private func session(_ request: Request) async throws -> Response {
    let link = try await Self.form(SessionForm.self, of: request).token
    guard let tokens = await door.exchange(link, storingIn: api.api.driver) else {
      return WebRefusal.link.response
    }
    var response = try Response.json(SessionView(token: tokens.session))
    response.headers[.setCookie] =
      "\(access.cookieName)=\(tokens.pictures); Path=/v1/; HttpOnly; SameSite=Strict"
    return response
  }

  /// The proof names this address, so that it fits no other one to which a program could pass it on.
  private func proof(_ request: Request) async throws -> Response {
    let nonce = try await Self.form(ProofForm.self, of: request).nonce
    guard nonce.utf8.count == Self.nonceDigits, nonce.allSatisfy(\.isHexDigit) else {
      throw RecordsError.invalid(
        "A nonce has \(Self.nonceDigits) hexadecimal digits.", field: "nonce")
    }
    return try .json(ProofView(proofs: door.proofs(of: "\(access.origin) \(nonce)")))
  }

  private func code(_ request: Request) async throws -> Response {
    try await Response.json(WebCode(of: Self.form(WebCode.Form.self, of: request).text))
  }

  private static func form<Form: Decodable>(
    _ type: Form.Type, of request: Request
  ) async throws -> Form {
    let body = try await request.body.collect(upTo: formBytesMaximum)
    return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
  }

  /// Returns what `body` returns, or the response about its error.
  private func answer(_ body: () async throws -> Response) async -> Response {
    do {
      return try await body()
    } catch is NIOTooManyBytesError {
      return ErrorResponse.make(
        RecordsError.limit(
          "The body", limit: Self.formBytesMaximum, actual: Self.formBytesMaximum + 1))
    } catch {
      return ErrorResponse.make(error)
    }
  }
}

extension WebRequest {
  /// Reads what decides about a request.
  fileprivate init(_ request: Request, _ access: WebAccess) {
    method = request.method.rawValue
    path = request.uri.path
    let host = HTTPField.Name("Host").map { request.headers[values: $0] } ?? []
    hosts = [request.head.authority].compactMap(\.self) + host
    // A target with a host of its own has precedence over the header.
    if request.uri.host != nil { hosts.append(request.uri.string) }
    origin = request.headers[.origin]
    fetchSite = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
    token = HTTPField.Name(WebAccess.tokenHeader).flatMap { request.headers[$0] }
    cookie = request.headers[.cookie].flatMap { Self.value(of: access.cookieName, in: $0) }
  }

  /// Returns the value of a cookie in a header.
  private static func value(of name: String, in header: String) -> String? {
    for pair in header.split(separator: ";") {
      let words = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if words.count == 2, words[0] == name { return String(words[1]) }
    }
    return nil
  }
}
