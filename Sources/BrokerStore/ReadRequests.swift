// Reads as the broker asks for them: a store's answer, or its failure, as a result that the broker
// can act on.

import BrokerCore
import Predicates
import Records
import SQLiteFile

extension RecordStore {
  /// Carries out a read; pages are made into frames with `encode`, queries go by `clock`, which begins
  /// now. Never throws: a failing disk is told to who asked.
  package func result(
    of request: ReadRequest, encode: Broker.Encode, clock: QueryClock
  ) -> ReadResult {
    switch request {
    case .page(let connection, let request):
      page(request, for: connection, encode: encode)
    case .fetch(let connection, let replyTo, let identity, let ids):
      answer(connection, replyTo) {
        .fetched(connection, replyTo: replyTo, try fetch(ids, of: identity))
      }
    case .directory(let connection, let replyTo, let identity):
      answer(connection, replyTo) {
        .directory(connection, replyTo: replyTo, try directory(of: identity))
      }
    case .history(let connection, let replyTo, let identity, let record, let below):
      answer(connection, replyTo) {
        .answered(
          connection, replyTo: replyTo,
          .history(try history(record, below: below, of: identity)))
      }
    case .trash(let connection, let replyTo, let identity, let zone, let below):
      answer(connection, replyTo) {
        .answered(connection, replyTo: replyTo, .trash(try trash(zone, below: below, of: identity)))
      }
    case .cascaded(let connection, let replyTo, let identity, let zone, let number, let after):
      answer(connection, replyTo) {
        .answered(
          connection, replyTo: replyTo,
          .cascaded(try cascaded(zone, by: number, after: after, of: identity)))
      }
    case .subscriptions(let connection, let replyTo, let identity, let after):
      answer(connection, replyTo) {
        let (states, isWhole) = try subscriptions(after: after, of: identity)
        return .answered(connection, replyTo: replyTo, .subscriptions(states, isWhole: isWhole))
      }
    case .accounts(let connection, let replyTo, let identity, let order):
      answer(connection, replyTo) {
        let (profiles, isWhole) = try accounts(order, of: identity)
        return .answered(connection, replyTo: replyTo, .accounts(profiles, isWhole: isWhole))
      }
    case .wantedAssets(let connection, let replyTo, let identity, let digest):
      .wantedAssets(connection, replyTo: replyTo, wantedAssets(of: identity, after: digest))
    case .notifications(let connection, let read):
      notifications(read, for: connection)
    case .query(let connection, let replyTo, let identity, let query, let cursor):
      .queried(
        connection, replyTo: replyTo, found(query, from: cursor, of: identity, clock: clock))
    }
  }

  private func found(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) -> BrokerMessage {
    do {
      return .found(try self.query(query, from: cursor, of: identity, clock: clock))
    } catch {
      return .error(publicError(error))
    }
  }

  private func wantedAssets(
    of identity: SessionIdentity, after digest: AssetDigest?
  ) -> BrokerMessage {
    do {
      let most = Limits.wantedAssetsPerPage
      let wanted = try wantedAssets(of: identity, after: digest, countMaximum: most + 1)
      return .wantedAssets(Array(wanted.prefix(most)), isWhole: wanted.count <= most)
    } catch {
      return .error(publicError(error))
    }
  }

  private func page(
    _ request: PageRequest, for connection: ConnectionID, encode: Broker.Encode
  ) -> ReadResult {
    do {
      let page = try page(request)
      let frame = encode(
        ZoneChanges(
          zone: request.zone, incarnation: request.incarnation, from: request.after, to: page.to,
          scanStart: request.scanStart, changes: page.changes))
      return .page(connection, request, frame: frame, to: page.to)
    } catch {
      return .pageRefused(connection, request, publicError(error))
    }
  }

  private func notifications(
    _ read: NotificationRead, for connection: ConnectionID
  ) -> ReadResult {
    do {
      return .notifications(connection, read, try notifications(read))
    } catch {
      return .notificationsFailed(connection, read)
    }
  }

  private func answer(
    _ connection: ConnectionID, _ replyTo: UInt64, _ body: () throws -> ReadResult
  ) -> ReadResult {
    do {
      return try body()
    } catch {
      return .failed(connection, replyTo: replyTo, publicError(error))
    }
  }

  /// What is told of a failure; the file's path is nobody else's business.
  private func publicError(_ error: any Error) -> RecordsError {
    (error as? RecordsError)
      ?? RecordsError(
        .serviceUnavailable, "The broker could not read what was asked for.",
        hint: "Ask again later.", retryAfterSeconds: 5)
  }
}
