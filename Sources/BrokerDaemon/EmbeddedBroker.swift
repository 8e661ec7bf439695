// The broker inside another process: the same service over the same store, without what a daemon has
// with its machine – settings, signals, readiness, a log of its own. For tests of programs that use
// one.

import AssetFiles
import BrokerCore
import BrokerStore
import DaemonKit
import Glibc
import Logging
import Records

/// A broker that somebody else's process runs.
package enum EmbeddedBroker {
  /// Serves a store on a socket while `body` runs; then everybody is told goodbye.
  /// - Parameters:
  ///   - store: where the records are; it outlives the broker.
  ///   - filesDirectory: where files are kept, which is made where it is missing.
  ///   - socketPath: where to listen; a socket there that nobody answers at is replaced.
  ///   - mayNameAccounts: whether this user may be any account.
  /// - Throws: a `StoreError` or `DaemonError` when it cannot begin; whatever `body` throws.
  package static func serve<Result>(
    _ store: any RecordStore, filesDirectory: String, socketPath: String,
    mayNameAccounts: Bool = true, until body: () async throws -> Result
  ) async throws -> Result {
    let policy = BrokerPolicy(
      maySpeakFor: mayNameAccounts ? [getuid()] : [], accountsAreOpen: true,
      administrators: [getuid()])
    var logger = Logger(label: "broker", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let service = BrokerService(
      socket: try ListeningSocket.bind(path: socketPath), store: store,
      files: try AssetFiles(directory: filesDirectory, reserveBytes: 0), policy: policy,
      quotas: QuotaPolicy(), logger: logger, readPolicy: { policy })
    return try await service.serve(until: body)
  }
}
