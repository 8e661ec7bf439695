// Errors as HTTP responses: a status for libraries, and a code from the closed list of the whole system, with
// a sentence and a hint.

import AgentAPI
import AgentStore
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
    var content = ErrorView.Content(known)
    if let refusal = error as? ContactRefusal {
      content.problems = refusal.problems.map {
        ProblemView(field: $0.field, value: $0.value, message: $0.message)
      }
    }
    let json = OrderedJSON.certainBytes(of: ErrorView(content))
    var response = Response(json: json, status: status(of: known))
    if let seconds = known.retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
    return response
  }

  /// Returns `response`. If it is an error of the router without a body, adds the same JSON as in other
  /// errors.
  /// - Parameter methods: The methods of the request's path; `nil` if it does not exist.
  static func completed(_ response: Response, allowed methods: [String]?) -> Response {
    guard response.status.code >= 400, response.headers[.contentType] == nil else {
      return response
    }
    guard response.status == .notFound else {
      return make(RecordsError.invalid("The request is malformed."))
    }
    guard let methods else {
      return make(RecordsError(.unknownItem, "This path does not exist."))
    }
    let allowed = methods.joined(separator: ", ")
    var refusal = make(
      RecordsError.invalid("This path does not support this method, but \(allowed)."))
    refusal.status = .methodNotAllowed
    refusal.headers[.allow] = allowed
    return refusal
  }

  /// Converts `error` to an error of the closed list.
  static func recordsError(_ error: any Error) -> RecordsError {
    switch error {
    case let error as RecordsError: error.forUsers
    case let error as ContactRefusal: error.summary
    case let error as StoreError: storeError(error)
    case let error as DecodingError:
      RecordsError(
        .invalidArguments, "The request body is invalid: \(sentence(on: error))",
        hint: "See docs/openapi.yaml.")
    default: failed
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
    case .foreign, .otherVersion, .unreadable, .damaged, .inUse, .unreachable, .unexpected: failed
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

extension ErrorView.Content {
  /// Creates the JSON of an error.
  init(_ error: RecordsError) {
    self.init(
      code: error.code.rawValue, message: error.message, hint: error.hint, field: error.field,
      column: error.column, reason: error.reason)
  }
}
