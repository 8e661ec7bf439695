// Every error has a status that says whose turn it is.

import HTTPTypes
import HummingbirdCore
import Records
import Testing

@testable import AgentDaemon

@Suite("K6 errors over HTTP")
struct ErrorResponseTests {
  @Test(arguments: RecordsError.Code.allCases)
  func `a transient error is 429 or 5xx, a final one of the client's is 4xx`(
    code: RecordsError.Code
  ) {
    let status = ErrorResponse.make(RecordsError(code, "M.")).status.code
    if code.isTransient { #expect(status == 429 || status == 503) }
    let isClients: Set<RecordsError.Code> = [
      .invalidArguments, .constraintViolation, .unknownItem, .permissionFailure, .limitExceeded,
      .serverRecordChanged, .zoneNotFound, .notAuthenticated,
    ]
    if isClients.contains(code) { #expect((400..<500).contains(status)) }
  }

  @Test func `an error nobody foresaw tells the client nothing of the inside`() {
    struct Odd: Error { let secret = "s3cret" }
    let known = ErrorResponse.recordsError(Odd())
    #expect(known.code == .internalError)
    #expect(!known.message.contains("s3cret"))
  }

  @Test(arguments: StoreError.Kind.allCases.filter { $0 != .full })
  func `a failure of the database tells the client nothing that the database said`(
    kind: StoreError.Kind
  ) {
    let error = StoreError(kind, "UNIQUE constraint failed: record.name")
    let known = ErrorResponse.recordsError(error)
    #expect(known.code == .internalError)
    #expect(!known.message.contains("UNIQUE") && known.message.contains("See its log."))
    #expect(known.message.contains("disk") == (kind == .disk))
  }
}
