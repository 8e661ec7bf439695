// The sockets and threads of a broker, and its driver's clock. To lose nothing, it stops in this order: refuse new
// connections, commit the last requests, answer them, say goodbye. It needs no service manager and reads no settings, so
// that a test can run it in its own process.

import AssetFiles
import BrokerCore
import BrokerStore
import Crypto
import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import Predicates
import Records
import RecordsWire

/// A running broker.
package struct Server: Sendable {
  /// The application protocol (ALPN) of connections over TLS.
  package static let applicationProtocol = "contacts/1"

  /// Passes the events of connections to the broker.
  package let driver: BrokerDriver
  /// The durations of its commits.
  package let meter: CommitMeter
  /// The event loop of its connections.
  package let group: MultiThreadedEventLoopGroup
  private let store: any RecordStore
  private let threads: BrokerThreads
  private let indexes: [DeclaredIndex]
  private let logger: Logger

  /// - Parameters:
  ///   - files: the directory of unfinished uploads, and of complete files unless `completeFiles` has them.
  ///   - completeFiles: the complete files, if the database has them.
  ///   - indexes: the indexes that queries can use.
  package init(
    store: any RecordStore, files: AssetFiles, completeFiles: (any CompleteFiles)? = nil,
    access: Access, indexes: [DeclaredIndex] = [], logger: Logger
  ) {
    self.store = store
    self.indexes = indexes
    self.logger = logger
    // One event loop: nothing changes threads between a commit and a thousand sockets, and two cores have
    // the storage thread to run as well (docs/decisions/0003).
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let peerLog = PeerLog(logger)
    meter = CommitMeter(logger: logger)
    threads = BrokerThreads(
      store: store, uploads: files, files: completeFiles ?? files, quotas: access.quotas,
      meter: meter, logger: logger, report: peerLog.failureReport)
    driver = BrokerDriver(
      loop: group.next(), counts: access.counts,
      broker: Broker(access.configuration(sharesDatabase: store.wakeups != nil)),
      threads: threads, log: peerLog)
  }

  /// Who may connect, and how much each account may use.
  package struct Access: Sendable {
    fileprivate let policy: BrokerPolicy
    fileprivate let quotas: QuotaPolicy
    fileprivate let remote: RemoteAccess?
    fileprivate let counts: ConnectionCounts

    /// The number of files that the process may have open bounds the connections.
    /// - Parameter remote: the key and addresses for devices on other machines; `nil` if there are none.
    package init(policy: BrokerPolicy, quotas: QuotaPolicy, remote: RemoteAccess? = nil) {
      self.policy = policy
      self.quotas = quotas
      self.remote = remote
      counts = ConnectionCounts(openFilesMaximum: Self.openFilesMaximum)
    }

    fileprivate func configuration(sharesDatabase: Bool) -> BrokerConfiguration {
      BrokerConfiguration(
        policy: policy, quotas: quotas, connectionsPerAccount: counts.perUserMaximum,
        strangersMaximum: counts.strangersMaximum(
          perNetworkMaximum: remote?.strangersPerNetwork ?? 0),
        remoteAccess: remote, sharesDatabase: sharesDatabase,
        encode: Server.encode, digest: { Array(SHA256.hash(data: $0)) })
    }

    /// The number of files that this process may have open at once.
    private static var openFilesMaximum: Int {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
      return Int(clamping: limit.rlim_cur)
    }
  }

  static let encode: BrokerConfiguration.Encode = { ChangesEncoder.frame($0) }

  /// Serves until `body` returns or throws, stops, and then returns or throws the same.
  /// - Parameter listen: opens the sockets, see `listen(on:)`. The server closes them.
  package func serve<Result>(
    listen: () async throws -> [any Channel], until body: () async throws -> Result
  ) async throws -> Result {
    let loop = driver.loop
    // The time must be known before a client connects, or the first tick finds it silent since 0.
    try await loop.submit { [driver] in driver.tick() }.get()
    var channels: [any Channel] = []
    let result: Swift.Result<Result, any Error>
    do {
      try store.transact { try $0.declareIndexes(indexes) }
      channels = try await listen()
      result = .success(try await work(until: body))
    } catch {
      result = .failure(error)
    }
    try await stop(channels)
    return try result.get()
  }

  /// Does what a broker does beside answering, until `body` returns or throws.
  private func work<Result>(until body: () async throws -> Result) async throws -> Result {
    let loop = driver.loop
    let ticks = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
      [driver] _ in driver.tick()
    }
    let sweeps = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .hours(24)) { [threads] _ in
      threads.assets.sweep()
    }
    let wakeups = followOthers()
    let comparisons = compareAssets()
    defer {
      wakeups?.stop()
      sweeps.cancel()
      ticks.cancel()
      comparisons.cancel()
    }
    return try await body()
  }

  /// Follows the commits of other brokers, if there can be any.
  private func followOthers() -> (any CommitWakeups)? {
    guard let wakeups = store.wakeups else { return nil }
    let driver = driver
    Thread { wakeups.run { driver.loop.execute { driver.follow() } } }.start()
    return wakeups
  }

  /// Finds missing files at the start, and damaged ones over time: 16 MiB are read each minute, about 20 GiB
  /// a day.
  private func compareAssets() -> RepeatedTask {
    let report: @Sendable (AssetResult) -> Void = { [driver] result in
      driver.loop.execute { driver.handle(.assetDone(result)) }
    }
    threads.assets.verifyPresence(report: report)
    return driver.loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .minutes(1)) {
      [threads] _ in threads.assets.verifyContents(report: report)
    }
  }

  /// Accepts programs of this machine.
  /// - Parameters:
  ///   - socket: where it listens.
  ///   - userID: returns the uid of the program at the other end of a connection.
  package func listen(
    on socket: UnixSocket, userID: @escaping @Sendable (any Channel) -> EventLoopFuture<UInt32>
  ) async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4096)
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 65536)
      )
      .childChannelOption(
        .writeBufferWaterMark,
        value: ChannelOptions.Types.WriteBufferWaterMark(low: 64 << 10, high: 256 << 10)
      )
      // Room for a file chunk, so that it is sent with one write. The kernel uses only what it needs.
      .childChannelOption(.socketOption(.so_sndbuf), value: 512 << 10)
      .childChannelInitializer { [driver] channel in
        userID(channel).flatMapThrowing { try driver.serve(channel, of: .localUser($0)) }
      }
    return switch socket {
    case .descriptor(let descriptor): try await bootstrap.withBoundSocket(descriptor).get()
    case .path(let path): try await bind(bootstrap, to: path)
    }
  }

  /// Creates a socket that only this user can open.
  private func bind(_ bootstrap: ServerBootstrap, to path: String) async throws -> any Channel {
    let channel = try await bootstrap.bind(
      unixDomainSocketPath: path, cleanupExistingSocketFile: true
    ).get()
    guard chmod(path, 0o600) == 0 else {
      try? await channel.close()
      throw StoreError(.disk, "The socket “\(path)” cannot be restricted to this user.")
    }
    return channel
  }

  /// Where a broker accepts programs of this machine.
  package enum UnixSocket: Sendable {
    /// A socket that is bound and listens; the server closes it.
    case descriptor(Int32)
    /// A path at which the server creates a socket. An existing one is replaced, also if another process listens on it.
    case path(String)
  }

  private func stop(_ channels: [any Channel]) async throws {
    for channel in channels { try? await channel.close() }
    let driver = driver
    try await driver.loop.flatSubmit { driver.drain() }.get()
    try await threads.stop()
    try await group.shutdownGracefully()
    logger.info("stopped")
  }
}

extension BrokerDriver {
  /// Serves a connection. For a peer on another machine the channel must have a TLS handler.
  package func serve(_ channel: any Channel, of peer: Peer) throws {
    if case .remote = peer {
      try channel.pipeline.syncOperations.addHandler(HandshakeCheck(driver: self, peer: peer))
    }
    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(driver: self, peer: peer))
  }

  fileprivate func tick() { handle(.ticked(seconds: BrokerClock.monotonicMilliseconds() / 1000)) }
}
