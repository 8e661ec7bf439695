// Reads as the broker asks for them: a store's answer, or its failure, as a result that the broker
// can act on.

import BrokerCore
import Predicates
import Records
import SQLiteFile

extension RecordStore {
  /// Carries out a read; pages are made into frames with `encode`, queries go by `clock`, which begins
  /// now. Never throws: a failing disk is told to who asked, and what the database said of it to
  /// `report`.
  package func result(
    of request: ReadRequest, encode: Broker.Encode, clock: QueryClock,
    report: FailureReport = { _ in }
  ) -> ReadResult {
    switch request {
    case .page(let connection, let request):
      page(request, for: connection, encode: encode, report)
    case .fetch(let connection, let replyTo, let identity, let ids):
      answer(connection, replyTo, report) {
        .fetched(connection, replyTo: replyTo, try fetch(ids, of: identity))
      }
    case .directory(let connection, let replyTo, let identity):
      answer(connection, replyTo, report) {
        .directory(connection, replyTo: replyTo, try directory(of: identity))
      }
    case .missedDirectory(let connection, let identity):
      .missedDirectory(connection, missedDirectory(of: identity, report))
    case .history(let connection, let replyTo, let identity, let record, let below):
      answer(connection, replyTo, report) {
        .answered(
          connection, replyTo: replyTo,
          .history(try history(record, below: below, of: identity)))
      }
    case .trash(let connection, let replyTo, let identity, let zone, let below):
      answer(connection, replyTo, report) {
        .answered(connection, replyTo: replyTo, .trash(try trash(zone, below: below, of: identity)))
      }
    case .cascaded(let connection, let replyTo, let identity, let zone, let number, let after):
      answer(connection, replyTo, report) {
        .answered(
          connection, replyTo: replyTo,
          .cascaded(try cascaded(zone, by: number, after: after, of: identity)))
      }
    case .subscriptions(let connection, let replyTo, let identity, let after):
      answer(connection, replyTo, report) {
        let (states, isWhole) = try subscriptions(after: after, of: identity)
        return .answered(connection, replyTo: replyTo, .subscriptions(states, isWhole: isWhole))
      }
    case .accounts(let connection, let replyTo, let identity, let order):
      answer(connection, replyTo, report) {
        let (profiles, isWhole) = try accounts(order, of: identity)
        return .answered(connection, replyTo: replyTo, .accounts(profiles, isWhole: isWhole))
      }
    case .wantedAssets(let connection, let replyTo, let identity, let digest):
      .wantedAssets(
        connection, replyTo: replyTo, wantedAssets(of: identity, after: digest, report))
    case .notifications(let connection, let read):
      notifications(read, for: connection, report)
    case .query(let connection, let replyTo, let identity, let query, let cursor):
      .queried(
        connection, replyTo: replyTo,
        found(query, from: cursor, of: identity, clock: clock, report))
    }
  }

  private func missedDirectory(
    of identity: SessionIdentity, _ report: FailureReport
  ) -> DirectoryPage? {
    do {
      return try directory(of: identity)
    } catch {
      report(error)
      return nil
    }
  }

  private func found(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock, _ report: FailureReport
  ) -> BrokerMessage {
    do {
      return .found(try self.query(query, from: cursor, of: identity, clock: clock))
    } catch {
      return .error(publicError(error, report))
    }
  }

  private func wantedAssets(
    of identity: SessionIdentity, after digest: AssetDigest?, _ report: FailureReport
  ) -> BrokerMessage {
    do {
      let most = Limits.wantedAssetsPerPage
      let wanted = try wantedAssets(of: identity, after: digest, countMaximum: most + 1)
      return .wantedAssets(Array(wanted.prefix(most)), isWhole: wanted.count <= most)
    } catch {
      return .error(publicError(error, report))
    }
  }

  private func page(
    _ request: PageRequest, for connection: ConnectionID, encode: Broker.Encode,
    _ report: FailureReport
  ) -> ReadResult {
    do {
      let page = try page(request)
      let frame = encode(
        ZoneChanges(
          zone: request.zone, incarnation: request.incarnation, from: request.after, to: page.to,
          scanStart: request.scanStart, changes: page.changes))
      return .page(connection, request, frame: frame, to: page.to, withheld: page.withheld)
    } catch {
      return .pageRefused(connection, request, publicError(error, report))
    }
  }

  private func notifications(
    _ read: NotificationRead, for connection: ConnectionID, _ report: FailureReport
  ) -> ReadResult {
    do {
      return .notifications(connection, read, try notifications(read))
    } catch {
      report(error)
      return .notificationsFailed(connection, read)
    }
  }

  private func answer(
    _ connection: ConnectionID, _ replyTo: UInt64, _ report: FailureReport,
    _ body: () throws -> ReadResult
  ) -> ReadResult {
    do {
      return try body()
    } catch {
      return .failed(connection, replyTo: replyTo, publicError(error, report))
    }
  }

  /// The error that the client gets for a failure. The database's text goes to the log only.
  private func publicError(_ error: any Error, _ report: FailureReport) -> RecordsError {
    if let error = error as? RecordsError { return error }
    report(error)
    return RecordsError(
      .serviceUnavailable, "The broker could not read what was asked for.",
      hint: "Ask again later.", retryAfterSeconds: 5)
  }
}
