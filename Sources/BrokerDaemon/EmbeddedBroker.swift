import AssetFiles
import BrokerCore
import BrokerStore
import DaemonKit
import Glibc
import Logging
import Records

/// A broker inside another process, for tests of programs that use one. It is the same service over the same
/// store, without settings, signals, readiness and a log of its own.
package enum EmbeddedBroker {
  /// Serves a store on a socket while `body` runs, and says goodbye to its clients afterwards.
  /// - Parameters:
  ///   - filesDirectory: the directory of the asset files, which is created if it is missing.
  ///   - completeFiles: the complete asset files, if they are not in that directory.
  ///   - socketPath: where to listen. A socket without a listener is replaced.
  ///   - mayNameAccounts: whether this user may sign in as any account.
  /// - Throws: a `StoreError` or `DaemonError` if the broker cannot start, or the error of `body`.
  package static func serve<Result>(
    _ store: any RecordStore, filesDirectory: String,
    completeFiles: (any CompleteFiles)? = nil, socketPath: String,
    mayNameAccounts: Bool = true, until body: () async throws -> Result
  ) async throws -> Result {
    let policy = BrokerPolicy(
      maySpeakFor: mayNameAccounts ? [getuid()] : [], accountsAreOpen: true,
      administrators: [getuid()])
    var logger = Logger(label: "broker", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let service = BrokerService(
      socket: try ListeningSocket.bind(path: socketPath), store: store,
      files: try AssetFiles(directory: filesDirectory, reserveBytes: 0),
      completeFiles: completeFiles, policy: policy, quotas: QuotaPolicy(), logger: logger,
      readPolicy: { policy })
    return try await service.serve(until: body)
  }
}
