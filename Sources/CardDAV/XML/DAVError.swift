// A request that is rejected. Clients act on the status and, where a condition of the standard is not met, on the
// element that names the condition (RFC 4918, section 16).

/// Why a request is rejected.
package struct DAVError: Error, Hashable, Sendable {
  /// The statuses that this server answers an error with.
  package enum Status: Int, Hashable, Sendable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case conflict = 409
    case preconditionFailed = 412
    case tooLarge = 413
    case unsupportedMediaType = 415
    case failedDependency = 424
    case tooManyRequests = 429
    case internalError = 500
    case badGateway = 502
    case unavailable = 503
    case insufficientStorage = 507

    /// The words of the status line.
    package var phrase: String {
      switch self {
      case .badRequest: "Bad Request"
      case .unauthorized: "Unauthorized"
      case .forbidden: "Forbidden"
      case .notFound: "Not Found"
      case .methodNotAllowed: "Method Not Allowed"
      case .conflict: "Conflict"
      case .preconditionFailed: "Precondition Failed"
      case .tooLarge: "Content Too Large"
      case .unsupportedMediaType: "Unsupported Media Type"
      case .failedDependency: "Failed Dependency"
      case .tooManyRequests: "Too Many Requests"
      case .internalError: "Internal Server Error"
      case .badGateway: "Bad Gateway"
      case .unavailable: "Service Unavailable"
      case .insufficientStorage: "Insufficient Storage"
      }
    }
  }

  /// The status.
  package let status: Status
  /// The condition that is not met; `nil` if none has a name.
  package let condition: XMLTree?
  /// What happened and what to do, in one sentence.
  package let message: String

  /// When the client may try again; `nil` if that makes no difference.
  package let retryAfterSeconds: Int64?

  /// Creates an error.
  package init(
    _ status: Status, _ message: String, condition: XMLTree? = nil, retryAfterSeconds: Int64? = nil
  ) {
    self.status = status
    self.message = message
    self.condition = condition
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// The request, or a part of it, is larger than the server reads.
  package static func tooLarge(_ what: String) -> DAVError {
    DAVError(.tooLarge, "\(what) is too large.")
  }

  /// The body of the response.
  package var document: [UInt8] {
    var writer = XMLWriter()
    writer.open(.dav("error"))
    if let condition { writer.write(condition) }
    writer.element(.dav("responsedescription"), text: message)
    writer.close()
    return writer.bytes
  }
}
