// Errors as HTTP responses: a status for libraries, and a code from the closed list of the whole system, with
// a sentence and a hint.

import Contacts
import Foundation
import HTTPTypes
import Hummingbird
import Records

enum ErrorResponse {
  /// Returns the response for `error`. An error of an unknown kind is a fault of the program; its text is
  /// logged and not sent to the client.
  static func make(_ error: any Error) -> Response {
    let known = recordsError(error)
    var json = JSONWriter()
    json.object { json in
      json.key("error")
      json.object { json in
        write(known, to: &json)
        if let refusal = error as? ContactRefusal { write(refusal.problems, to: &json) }
      }
    }
    var response = Response.json(json, status: status(of: known))
    if let seconds = known.retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
    return response
  }

  /// Returns `response`. If it is an error of the router without a body, adds the same JSON as in other
  /// errors.
  static func completed(_ response: Response) -> Response {
    guard response.status.code >= 400, response.headers[.contentType] == nil else {
      return response
    }
    let error =
      response.status == .notFound
      ? RecordsError(.unknownItem, "This path does not exist, or does not support this method.")
      : RecordsError.invalid("The request is malformed.")
    return make(error)
  }

  /// Converts `error` to an error of the closed list.
  static func recordsError(_ error: any Error) -> RecordsError {
    switch error {
    case let error as RecordsError: error
    case let error as ContactRefusal: error.summary
    case let error as StoreError: storeError(error)
    case let error as DecodingError:
      RecordsError(
        .invalidArguments, "The request body is invalid: \(sentence(on: error))",
        hint: "See docs/openapi.yaml.")
    default: failed
    }
  }

  private static func write(_ error: RecordsError, to json: inout JSONWriter) {
    json.key("code")
    json.value(error.code.rawValue)
    json.key("message")
    json.value(error.message)
    json.key("hint")
    json.value(error.hint)
    if let field = error.field {
      json.key("field")
      json.value(field)
    }
    if let column = error.column {
      json.key("column")
      json.value(Int64(column))
    }
    if let reason = error.reason {
      json.key("reason")
      json.value(reason)
    }
  }

  private static func write(_ problems: [FieldProblem], to json: inout JSONWriter) {
    json.key("problems")
    json.list(problems) { json, problem in
      json.object { json in
        json.key("field")
        json.value(problem.field)
        json.key("value")
        json.value(problem.value)
        json.key("message")
        json.value(problem.message)
      }
    }
  }

  /// The error that a caller receives for an internal error of the agent.
  private static var failed: RecordsError {
    RecordsError(.internalError, "Unexpected error in contactsd. See its log.")
  }

  /// NB: The message of most kinds quotes the database; it is for the log only.
  private static func storeError(_ error: StoreError) -> RecordsError {
    switch error.kind {
    case .full: RecordsError(.quotaExceeded, error.message, hint: "Free some disk space.")
    case .disk:
      RecordsError(
        .internalError, "contactsd cannot read or write this device's disk. See its log.",
        hint: "Check the disk. Everything saved before is safe.")
    case .foreign, .newer, .unreadable, .damaged, .inUse, .unexpected: failed
    }
  }

  private static func sentence(on error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: "/")
      let text = context.debugDescription
      // Some of Foundation's descriptions have no full stop.
      let sentence = text.hasSuffix(".") ? text : text + "."
      return path.isEmpty ? sentence : "\(path): \(sentence)"
    @unknown default: return "it cannot be read."
    }
  }

  private static func status(of error: RecordsError) -> HTTPResponse.Status {
    switch error.code {
    case .invalidArguments: .badRequest
    case .notAuthenticated: .unauthorized
    case .permissionFailure: .forbidden
    case .unknownItem, .zoneNotFound, .assetNotAvailable: .notFound
    case .serverRecordChanged: .preconditionFailed
    case .alreadyShared, .referenceViolation, .batchRequestFailed, .partialFailure,
      .operationCancelled:
      .conflict
    case .changeTokenExpired: .gone
    case .limitExceeded, .tooManyParticipants: .contentTooLarge
    case .constraintViolation: .unprocessableContent
    case .requestRateLimited: .tooManyRequests
    case .incompatibleVersion, .internalError: .internalServerError
    case .networkUnavailable, .serviceUnavailable, .zoneBusy, .serverResponseLost:
      .serviceUnavailable
    case .quotaExceeded: .init(code: 507, reasonPhrase: "Insufficient Storage")
    }
  }
}

extension Response {
  /// Creates a response with this JSON.
  static func json(_ json: JSONWriter, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
  }
}
