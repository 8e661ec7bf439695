// The birthdays of a book as a calendar.

import CardDAV
import CardDAVStore
import DeviceStore
import Hummingbird
import Records

/// Answers requests for birthdays.
struct BirthdayRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest

  /// Returns the calendar of a book.
  func response(_ name: String) throws -> Response {
    _ = try api.reader.read { try CardDAVBook.named(name, $0) }
    throw DAVError(.notFound, "There is no calendar at this address.")
  }
}
