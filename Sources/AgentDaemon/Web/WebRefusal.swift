import HTTPTypes
import Hummingbird
import Records

/// Why the web page's listener does not answer a request.
struct WebRefusal: Hashable, Sendable {
  /// The status of the response.
  let status: Int
  /// The error in its body.
  let error: RecordsError

  private init(_ status: Int, _ error: RecordsError) {
    self.status = status
    self.error = error
  }

  /// The request was sent to another name.
  static let host = WebRefusal(
    421, .invalid("This is not the address of the web page.", field: "Host"))
  /// The request comes from another page.
  static let site = WebRefusal(
    403, RecordsError(.permissionFailure, "Only the web page itself can use this address."))
  /// The path does not support the method.
  static let method = WebRefusal(405, .invalid("This path does not support this method."))
  /// There is no session.
  static let session = WebRefusal(
    401,
    RecordsError(
      .permissionFailure, "The session has ended.", hint: "Run: contactsctl open",
      reason: "sessionEnded"))
  /// The link's token is unknown.
  static let link = WebRefusal(
    401,
    RecordsError(
      .permissionFailure, "This link has expired or was used before.",
      hint: "For a new one, run: contactsctl open", reason: "linkExpired"))
  /// The web page cannot do this.
  static let operation = WebRefusal(
    403,
    RecordsError(
      .permissionFailure, "The web page cannot do this.", hint: "Use contactsctl.",
      reason: "notInPage"))
  /// The operation needs a recent link.
  static let opening = WebRefusal(
    403,
    RecordsError(
      .permissionFailure, "Confirm on this computer that you want to change your devices.",
      hint: "Run “contactsctl open”, and try again within five minutes.", reason: "openNeeded"))

  /// The response.
  var response: Response {
    var response = ErrorResponse.make(error)
    response.status = HTTPResponse.Status(code: status)
    return response
  }
}
