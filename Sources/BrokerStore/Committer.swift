// Group commit. All requests that arrived while the last transaction was made durable share the next one and
// its fsync. They are carried out one after the other, because a later request may depend on an earlier one.
// If a transaction fails, each half of its requests gets a transaction of its own, and so on, so that the
// request at fault fails alone and costs the others few more transactions. The stored records that a
// transaction reads and writes have a limit in bytes: a request that does not fit begins the next one.

import BrokerCore
import Records

/// Carries out storage requests on a store. The storage thread owns it.
package struct Committer<Generator: RandomNumberGenerator> {
  /// A request that used this share of a transaction's limits counts as expensive.
  private static var expensiveShare: Double { 0.2 }

  private let store: any RecordStore
  var generator: Generator
  let quotas: QuotaPolicy
  /// Identifies this broker when jobs are shared.
  let broker: BrokerProcessID
  private let report: FailureReport
  private let hasDiskRoom: @Sendable () -> Bool
  /// Whether the disk has room for saves, as of the beginning of the transaction.
  private(set) var mayAdd = true
  /// See `PerformedRequests`, for the last transaction.
  private var mostExpensive: Int?
  /// Whether the current request is the first of its transaction, which fits however large it is.
  private(set) var isFirst = true

  /// - Parameters:
  ///   - generator: the source of new identifiers.
  ///   - report: receives the cause of a failure, once, if the client gets a general error instead.
  ///   - hasDiskRoom: asked before each transaction. Without room, saves and new devices are refused.
  package init(
    store: any RecordStore, generator: Generator, quotas: QuotaPolicy = QuotaPolicy(),
    report: @escaping FailureReport = { _ in },
    hasDiskRoom: @escaping @Sendable () -> Bool = { true }
  ) {
    var generator = generator
    broker = .random(using: &generator)
    self.hasDiskRoom = hasDiskRoom
    self.quotas = quotas
    self.report = report
    self.store = store
    self.generator = generator
  }

  /// Carries out `requests` in order at the time `now`. When this returns, everything that the results say is
  /// durable. A failure is the result of the request that caused it.
  package mutating func perform(_ requests: [StorageRequest], at now: Timestamp) -> [StorageResult]
  {
    performAll(requests[...], at: now).filter(\.isAnswer)
  }

  /// Gathers requests as soon as it may write, and carries out the first of them: as many as fit in one transaction, and
  /// at least one.
  /// - Parameter gather: Returns at least one request. Called once, when the transaction has begun: on a database of
  ///   several brokers, it takes also the requests that arrive while the broker waits for its turn.
  package mutating func performNext(
    at now: Timestamp, gathering gather: () -> [StorageRequest]
  ) -> PerformedRequests {
    var gathered: [StorageRequest]?
    mayAdd = hasDiskRoom()
    let together = try? performTogether(at: now) {
      let requests = gather()
      gathered = requests
      return requests[...]
    }
    let requests = gathered ?? gather()
    let results = together ?? performHalves(of: requests[...], at: now)
    return PerformedRequests(
      requests: requests, results: results, mostExpensive: together == nil ? nil : mostExpensive)
  }

  private mutating func performFirst(
    of requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    mayAdd = hasDiskRoom()
    if let results = try? performTogether(at: now, gathering: { requests }) { return results }
    return performHalves(of: requests, at: now)
  }

  private mutating func performAll(
    _ requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    var results: [StorageResult] = []
    var count = 0
    while count < requests.count {
      let more = performFirst(of: requests.dropFirst(count), at: now)
      count += more.count(where: \.isAnswer)
      results += more
    }
    return results
  }

  /// What other brokers committed before the last transaction.
  private func takeForeign() -> [StorageResult] {
    store.takeForeignCommits().map { [.foreign($0)] } ?? []
  }

  private mutating func performTogether(
    at now: Timestamp, gathering gather: () -> ArraySlice<StorageRequest>
  ) throws -> [StorageResult] {
    let results = try store.transact { transaction in
      let now = transaction.time ?? now
      let requests = gather()
      var results: [StorageResult] = []
      var most = Self.expensiveShare
      var spent = 0.0
      mostExpensive = nil
      results.reserveCapacity(requests.count)
      try transaction.readAhead(Array(requests))
      for request in requests where results.isEmpty || spent < 1 {
        isFirst = results.isEmpty
        do {
          results.append(try perform(request, in: transaction, at: now))
        } catch is TransactionIsFull {
          break
        }
        let before = spent
        spent = transaction.spent
        guard spent - before > most else { continue }
        most = spent - before
        mostExpensive = results.count - 1
      }
      // Many cheap requests are mostly those of one account.
      if spent >= 1, mostExpensive == nil { mostExpensive = results.count - 1 }
      transaction.announce(results)
      return results
    }
    return takeForeign() + results
  }

  /// Carries out requests of which at least one made their common transaction fail.
  ///
  /// NB: each half begins with the memory that the store restored when it rolled back the whole. A
  /// savepoint around each request would restore rows only.
  private mutating func performHalves(
    of requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    guard requests.count > 1 else { return requests.flatMap { performAlone($0, at: now) } }
    let middle = requests.startIndex + requests.count / 2
    return [requests[..<middle], requests[middle...]].flatMap { half in
      half.count > 1 ? performAll(half, at: now) : performHalves(of: half, at: now)
    }
  }

  private mutating func performAlone(
    _ request: StorageRequest, at now: Timestamp
  ) -> [StorageResult] {
    let result = resultAlone(of: request, at: now)
    return takeForeign() + [result]
  }

  private mutating func resultAlone(
    of request: StorageRequest, at now: Timestamp
  ) -> StorageResult {
    do {
      isFirst = true
      return try store.transact { transaction in
        let result = try perform(request, in: transaction, at: transaction.time ?? now)
        transaction.announce([result])
        return result
      }
    } catch {
      if let signedIn = signInReading(request, at: now, because: error) { return signedIn }
      let refusal = RecordsError(writing: error)
      // The client gets some errors as they are. All others go to the log.
      if refusal != error as? RecordsError { report(error) }
      return refusal.code.isTransient
        ? request.failed(refusal) : reject(request, because: refusal)
    }
  }

  /// Signs a known device in without writing anything if the disk is full, so that it can read.
  private mutating func signInReading(
    _ request: StorageRequest, at now: Timestamp, because error: any Error
  ) -> StorageResult? {
    guard case .signIn(let request, let connection) = request,
      (error as? StoreError)?.kind == .full
    else { return nil }
    let signedIn = try? store.transact { transaction -> SignedIn? in
      let now = transaction.time ?? now
      let gathered = try transaction.gather(request, at: now, using: &generator)
      guard case .known(let device) = SignInPlan(request, gathered: gathered) else { return nil }
      return try transaction.signInReadOnly(device, request)
    }
    return signedIn.flatMap(\.self).map { .signedIn(.success($0), connection) }
  }

  /// Rejects a request that the store cannot carry out for a permanent reason. A modify uses its number:
  /// otherwise the device would send it forever, and its later requests would wait.
  private mutating func reject(
    _ request: StorageRequest, because refusal: RecordsError
  ) -> StorageResult {
    guard case .client(.modify(let modify), let context) = request else {
      return request.failed(refusal)
    }
    do {
      let writes = modify.rejected(because: refusal)
      return try store.transact { transaction in
        let applied = try transaction.apply(writes, of: context.identity)
        let result = StorageResult.client(.modified(applied.outcome, applied.effects), context)
        transaction.announce([result])
        return result
      }
    } catch {
      report(error)
      // The device must send the request again, whatever was in the way.
      let obstacle = RecordsError(writing: error)
      return request.failed(obstacle.code.isTransient ? obstacle : .unwritable)
    }
  }
}

/// Thrown before a request has written anything: the transaction has no room for it.
struct TransactionIsFull: Error {}

extension ModifyRequest {
  /// The plan that rejects everything in the request.
  fileprivate func rejected(because refusal: RecordsError) -> ModifyWrites {
    let outcome = ModifyOutcome(
      number: number,
      groups: groups.map { group in
        group.operations.map { _ in .failed(refusal, serverRecord: nil) }
      })
    return ModifyWrites(
      outcome: outcome, fingerprint: fingerprint, acknowledged: acknowledged, writes: [])
  }
}
