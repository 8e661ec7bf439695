import BrokerCore
import Predicates
import Records

extension RecordStore {
  /// Carries out a read. Failures, including those of the disk, are part of the result.
  /// - Parameters:
  ///   - encode: encodes the frame of a page.
  ///   - clock: the time and the time limit for a query.
  ///   - report: receives the database's error if the read fails. The client gets a general error instead.
  package func result(
    of request: ReadRequest, encode: BrokerConfiguration.Encode, clock: QueryClock,
    report: FailureReport = { _ in }
  ) -> ReadResult {
    switch request {
    case .client(let operation, let context):
      .client(
        answer(to: operation, of: context.identity, clock: clock, report), operation, context)
    case .page(let request, let connection):
      .page(page(request, encode: encode, report), request, connection)
    case .directory(let identity, let connection):
      .directory(orReporting(report) { try directory(of: identity) }, connection)
    case .notifications(let read, let connection):
      .notifications(orReporting(report) { try notifications(read) }, read, connection)
    }
  }

  private func answer(
    to operation: ReadOperation, of identity: SessionIdentity, clock: QueryClock,
    _ report: FailureReport
  ) -> BrokerMessage {
    do {
      return try answer(to: operation, of: identity, clock: clock)
    } catch {
      return .error(publicError(error, report))
    }
  }

  private func answer(
    to operation: ReadOperation, of identity: SessionIdentity, clock: QueryClock
  ) throws -> BrokerMessage {
    switch operation {
    case .fetch(let ids): return .fetched(try fetch(ids, of: identity))
    case .directory: return .directory(try directory(of: identity))
    case .history(let record, let below):
      return .history(try history(record, below: below, of: identity))
    case .trash(let zone, let below): return .trash(try trash(zone, below: below, of: identity))
    case .cascaded(let zone, let number, let after):
      return .cascaded(try cascaded(zone, by: number, after: after, of: identity))
    case .subscriptions(let after):
      let (states, isWhole) = try subscriptions(after: after, of: identity)
      return .subscriptions(states, isWhole: isWhole)
    case .accounts(let request):
      let (profiles, isWhole) = try accounts(request, of: identity)
      return .accounts(profiles, isWhole: isWhole)
    case .wantedAssets(let digest):
      let maximum = Limits.wantedAssetsPerPage
      let wanted = try wantedAssets(of: identity, after: digest, countMaximum: maximum + 1)
      return .wantedAssets(Array(wanted.prefix(maximum)), isWhole: wanted.count <= maximum)
    case .query(let query, let cursor):
      return .found(try self.query(query, from: cursor, of: identity, clock: clock))
    }
  }

  private func page(
    _ request: PageRequest, encode: BrokerConfiguration.Encode, _ report: FailureReport
  ) -> Result<EncodedPage, RecordsError> {
    do {
      let page = try page(request)
      let frame = encode(
        ZoneChanges(
          zone: request.zone, incarnation: request.incarnation, from: request.after, to: page.to,
          scanStart: request.scanStart, lineage: request.lineage, changes: page.changes))
      return .success(EncodedPage(frame: frame, to: page.to, withheld: page.withheld))
    } catch {
      return .failure(publicError(error, report))
    }
  }

  private func orReporting<Value>(
    _ report: FailureReport, _ body: () throws -> Value
  ) -> Value? {
    do {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// Returns the error that the client gets for a failure. The database's message is only logged.
  private func publicError(_ error: any Error, _ report: FailureReport) -> RecordsError {
    if let error = error as? RecordsError { return error }
    report(error)
    if (error as? StoreError)?.kind == .unreachable { return .unreachable }
    return RecordsError(
      .serviceUnavailable, "The broker cannot read the requested data.",
      hint: "Try again later. The broker's log has the reason.", retryAfterSeconds: 5)
  }
}
