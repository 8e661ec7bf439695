// The broker as a service: the listening socket, the threads, the driver, and the driver's clock. To lose
// nothing, it stops in this order: refuse new connections, commit the last requests, answer them, say
// goodbye.

import AssetFiles
import BrokerCore
import BrokerStore
import Crypto
import DaemonKit
import Foundation
import Logging
import NIOCore
import NIOPosix
import Predicates
import Records
import RecordsWire
import ServiceLifecycle
import UnixSignals

/// A running broker.
struct BrokerService: Service {
  private let socket: ListeningSocket
  private let metricsSocket: ListeningSocket?
  private let listener: RemoteListener?
  private let store: any RecordStore
  private let logger: Logger
  private let group: MultiThreadedEventLoopGroup
  private let threads: BrokerThreads
  private let meter: CommitMeter
  private let indexes: [DeclaredIndex]
  let driver: BrokerDriver
  private let readPolicy: @Sendable () throws -> BrokerPolicy

  /// - Parameters:
  ///   - metricsSocket: serves the metrics page, if there is one.
  ///   - listener: accepts devices on other machines, if there is one.
  ///   - files: the directory of unfinished uploads, and of complete files unless `completeFiles` has them.
  ///   - completeFiles: the complete files, if the database has them.
  ///   - indexes: the indexes that queries can use.
  ///   - readPolicy: reads the permissions again, on SIGHUP.
  init(
    socket: ListeningSocket, metricsSocket: ListeningSocket? = nil,
    listener: RemoteListener? = nil, store: any RecordStore,
    files: AssetFiles, completeFiles: (any CompleteFiles)? = nil, policy: BrokerPolicy,
    quotas: QuotaPolicy, indexes: [DeclaredIndex] = [], logger: Logger,
    readPolicy: @escaping @Sendable () throws -> BrokerPolicy
  ) {
    self.socket = socket
    self.metricsSocket = metricsSocket
    self.listener = listener
    self.store = store
    self.logger = logger
    self.readPolicy = readPolicy
    // One event loop: nothing changes threads between a commit and a thousand sockets, and two cores have
    // the storage thread to run as well (docs/decisions/0003).
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let meter = CommitMeter(logger: logger)
    let peerLog = PeerLog(logger)
    self.meter = meter
    threads = BrokerThreads(
      store: store, uploads: files, files: completeFiles ?? files, quotas: quotas, meter: meter,
      logger: logger,
      report: peerLog.failureReport)
    let counts = ConnectionCounts(openFilesMaximum: OpenFiles.limit)
    driver = BrokerDriver(
      loop: group.next(), counts: counts,
      broker: Broker(
        BrokerConfiguration(
          policy: policy, quotas: quotas, connectionsPerAccount: counts.perUserMaximum,
          strangersMaximum: counts.strangersMaximum(
            perNetworkMaximum: listener?.access.strangersPerNetwork ?? 0),
          remoteAccess: listener?.access, sharesDatabase: store is PostgreSQLRecordStore,
          encode: Self.encode,
          digest: { Array(SHA256.hash(data: $0)) })),
      threads: threads, log: peerLog)
    self.indexes = indexes
  }

  func run() async throws {
    try await serve {
      Supervisor().ready(status: "Serving \(socket.path ?? "the socket that systemd passed")")
      logger.info(
        "serving",
        metadata: [
          "socket": "\(socket.path ?? "passed")", "version": "\(ProgramVersion.text)",
        ])
      await withTaskGroup { tasks in
        tasks.addTask { await cancelWhenGracefulShutdown { await reloadOnHangup() } }
        try? await gracefulShutdown()
        tasks.cancelAll()
      }
      Supervisor().stopping()
    }
  }

  /// Serves until `body` returns or throws, stops, and then returns or throws the same.
  func serve<Result>(until body: () async throws -> Result) async throws -> Result {
    let loop = driver.loop
    // The time must be known before a client connects, or the first tick finds it silent since 0.
    try await loop.submit { [driver] in
      driver.handle(.ticked(seconds: Self.monotonicMilliseconds() / 1000))
    }.get()
    try store.transact { try $0.declareIndexes(indexes) }
    let channel = try await listen()
    let remote = try await listener?.listen(driver, on: group, logger: logger) ?? []
    let metrics = try await serveMetrics()
    let ticks = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
      [driver] _ in driver.handle(.ticked(seconds: Self.monotonicMilliseconds() / 1000))
    }
    let sweeps = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .hours(24)) { [threads] _ in
      threads.assets.sweep()
    }
    let wakeups = followOthers()
    let comparisons = compareAssets()
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    wakeups?.stop()
    sweeps.cancel()
    ticks.cancel()
    comparisons.cancel()
    await metrics?.stop()
    for channel in remote { try? await channel.close() }
    try await stop(channel)
    return try result.get()
  }

  /// Follows the commits of other brokers, if there can be any.
  private func followOthers() -> PostgreSQLWakeups? {
    guard let wakeups = (store as? PostgreSQLRecordStore)?.wakeups else { return nil }
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

  private func listen() async throws -> any Channel {
    try await ServerBootstrap(group: group)
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
        PeerCredentials.of(channel).flatMapThrowing { peer in
          let handler = ConnectionHandler(driver: driver, peer: .localUser(peer.userID))
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  private func serveMetrics() async throws -> MetricsServer? {
    guard let metricsSocket else { return nil }
    return try await MetricsServer(socket: metricsSocket, on: driver.loop) { [driver, meter] in
      MetricsPage(status: driver.status, commits: meter.counts).text
    }
  }

  private func stop(_ channel: any Channel) async throws {
    try? await channel.close()
    socket.removeFile()
    let driver = driver
    try await driver.loop.flatSubmit { driver.drain() }.get()
    try await threads.stop()
    try await group.shutdownGracefully()
    logger.info("stopped")
  }

  private func reloadOnHangup() async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) {
      Supervisor().reloading()
      do {
        let policy = try readPolicy()
        let driver = driver
        driver.loop.execute { driver.handle(.policyChanged(policy)) }
        logger.info("accounts and maySpeakFor were reloaded; other settings need a restart")
      } catch {
        logger.error(
          "cannot reload the settings; the previous ones stay in effect",
          metadata: ["reason": "\(error)"])
      }
      Supervisor().ready(status: "Serving")
    }
  }

  // MARK: Time and encoding

  static let encode: BrokerConfiguration.Encode = { ChangesEncoder.frame($0) }

  static let queryClock: @Sendable () -> QueryClock = {
    clock(milliseconds: QueryLimits.seconds * 1000)
  }

  static let briefQueryClock: @Sendable () -> QueryClock = {
    clock(milliseconds: BrokerLimits.briefQueryMilliseconds, isBrief: true)
  }

  private static func clock(milliseconds: Int64, isBrief: Bool = false) -> QueryClock {
    let end = monotonicMilliseconds() + milliseconds
    return QueryClock(now: now(), isBrief: isBrief) { monotonicMilliseconds() > end }
  }

  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  private static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
