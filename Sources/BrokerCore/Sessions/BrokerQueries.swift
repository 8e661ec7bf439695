// Queries: read here, so that what is wrong with one is told before anything is looked at, and answered
// by a thread of their own, a few of each connection at a time, so that nobody who asks much holds up
// those who follow.

import Predicates
import Records

extension Broker {
  mutating func query(
    _ form: QueryForm, number: UInt64, from connection: ConnectionID, identity: SessionIdentity
  ) {
    guard let session = sessions[connection] else { return }
    do throws(RecordsError) {
      guard session.queriesInFlight < Limits.queriesInFlight else {
        throw RecordsError(
          .requestRateLimited, "\(Limits.queriesInFlight) queries are being answered already.",
          hint: "Wait for one of them.", retryAfterSeconds: 1)
      }
      let query = try RecordQuery(form.resolved(for: identity.account))
      var cursor: QueryCursor?
      if let bytes = form.cursor { cursor = try QueryCursor(bytes: bytes, of: query) }
      sessions[connection]?.queriesInFlight += 1
      began(connection)
      ask(
        .query(connection, replyTo: number, identity, query, cursor), number: number,
        for: connection)
    } catch {
      actions.append(.send(connection, replyTo: number, .error(error)))
    }
  }
}

extension QueryForm {
  /// The same with `.current` replaced by `account`.
  fileprivate func resolved(for account: AccountID) -> QueryForm {
    QueryForm(
      database: database, zone: zone?.resolved(for: account), type: type, predicate: predicate,
      sort: sort, desiredKeys: desiredKeys, limit: limit, cursor: cursor)
  }
}
