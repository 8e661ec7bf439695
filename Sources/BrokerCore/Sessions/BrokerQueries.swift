import Predicates
import Records

extension Broker {
  /// Parses a query here, so that an invalid one is rejected before anything is read. Queries have threads
  /// of their own, and a limit per connection.
  mutating func query(_ form: QueryForm, _ context: RequestContext) {
    guard let session = sessions[context.connection] else { return }
    do throws(RecordsError) {
      guard session.reads.queries < Limits.queriesInFlight else {
        throw RecordsError(
          .requestRateLimited,
          "This connection already waits for \(Limits.queriesInFlight) queries, the limit.",
          hint: "Wait for one of them before you send another.", retryAfterSeconds: 1)
      }
      let query = try RecordQuery(form.resolved(for: context.identity.account))
      var cursor: QueryCursor?
      if let bytes = form.cursor { cursor = try QueryCursor(bytes: bytes, of: query) }
      read(.query(query, cursor), context)
    } catch {
      reply(.error(error), to: context)
    }
  }
}

extension QueryForm {
  /// The query with `.current` replaced by `account`.
  fileprivate func resolved(for account: AccountID) -> QueryForm {
    QueryForm(
      database: database, zone: zone?.resolved(for: account), type: type, predicate: predicate,
      sort: sort, desiredKeys: desiredKeys, limit: limit, cursor: cursor)
  }
}
