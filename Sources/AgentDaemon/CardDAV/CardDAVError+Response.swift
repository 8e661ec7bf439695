// Errors as responses of WebDAV: a status, and the element of the condition that is not met.

import CardDAV
import HTTPTypes
import Hummingbird
import NIOCore
import Records

extension DAVError {
  /// Converts an error of the agent.
  init(_ error: any Error) {
    if let error = error as? DAVError {
      self = error
      return
    }
    let known = ErrorResponse.recordsError(error)
    self.init(
      Self.status(of: known), known.message, condition: Self.condition(of: known),
      retryAfterSeconds: known.retryAfterSeconds.map { Int64($0) })
  }

  private static func status(of error: RecordsError) -> Status {
    switch error.code {
    case .invalidArguments: .badRequest
    case .notAuthenticated, .permissionFailure: .forbidden
    case .unknownItem, .zoneNotFound, .assetNotAvailable: .notFound
    case .serverRecordChanged: .preconditionFailed
    case .alreadyShared, .referenceViolation, .batchRequestFailed, .partialFailure,
      .operationCancelled, .constraintViolation, .changeTokenExpired:
      .conflict
    case .limitExceeded, .tooManyParticipants: .forbidden
    case .requestRateLimited: .tooManyRequests
    case .incompatibleVersion, .internalError: .internalError
    case .networkUnavailable, .serviceUnavailable, .zoneBusy, .serverResponseLost: .unavailable
    case .quotaExceeded: .insufficientStorage
    }
  }

  private static func condition(of error: RecordsError) -> XMLTree? {
    switch error.code {
    case .quotaExceeded: XMLTree(.dav("sufficient-disk-space"))
    case .limitExceeded: XMLTree(.card("valid-address-data"))
    default: nil
    }
  }

  /// The response.
  var response: Response {
    var response = Response(
      xml: document,
      status: HTTPResponse.Status(code: status.rawValue, reasonPhrase: status.phrase))
    if status == .unauthorized {
      response.headers[.wwwAuthenticate] = #"Basic realm="Contacts", charset="UTF-8""#
    }
    if let seconds = retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
    return response
  }
}

extension Response {
  /// Creates a response with an XML document.
  init(xml: [UInt8], status: HTTPResponse.Status) {
    self.init(
      status: status,
      headers: [.contentType: "application/xml; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: xml)))
  }
}

extension HTTPResponse.Status {
  /// The answer about several resources (RFC 4918, section 13).
  static let multi = HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status")
}
