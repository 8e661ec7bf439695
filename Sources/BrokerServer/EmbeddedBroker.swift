import AssetFiles
import BrokerCore
import BrokerStore
import Glibc
import Logging
import NIOCore
import Records

/// A broker inside another process, for tests of programs that use one. It is the same server over the same
/// store, without settings, signals, readiness and a log of its own.
package enum EmbeddedBroker {
  /// Serves a store on a socket while `body` runs, and says goodbye to its clients afterwards. All programs that can
  /// open the socket count as this user: put it into a directory that no other user can enter.
  /// - Parameters:
  ///   - filesDirectory: the directory of the asset files, which is created if it is missing.
  ///   - completeFiles: the complete asset files, if they are not in that directory.
  ///   - socketPath: where to listen. An existing socket is replaced, also if another broker listens on it.
  ///   - mayNameAccounts: whether this user may sign in as any account.
  /// - Throws: an error if the broker cannot start, or the error of `body`.
  package static func serve<Result>(
    _ store: any RecordStore, filesDirectory: String,
    completeFiles: (any CompleteFiles)? = nil, socketPath: String,
    mayNameAccounts: Bool = true, until body: () async throws -> Result
  ) async throws -> Result {
    let user = getuid()
    let policy = BrokerPolicy(
      maySpeakFor: mayNameAccounts ? [user] : [], accountsAreOpen: true, administrators: [user])
    var logger = Logger(label: "broker", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let server = Server(
      store: store, files: try AssetFiles(directory: filesDirectory, reserveBytes: 0),
      completeFiles: completeFiles,
      access: Server.Access(policy: policy, quotas: QuotaPolicy()),
      logger: logger)
    return try await server.serve {
      [
        try await server.listen(on: .path(socketPath)) {
          $0.eventLoop.makeSucceededFuture(user)
        }
      ]
    } until: {
      defer { unlink(socketPath) }
      return try await body()
    }
  }
}
