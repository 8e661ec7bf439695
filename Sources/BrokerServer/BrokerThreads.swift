import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import Predicates
import Records

/// The threads next to the broker's event loop.
struct BrokerThreads: Sendable {
  let storage: StorageThread
  /// Reads everything but queries.
  let reading: ReadingThread
  /// Begins all queries, so that they delay no other reads, and ends those that take long.
  let queries: ReadingThread
  private let longQueries: ReadingThread
  let assets: AssetThread

  /// - Parameters:
  ///   - uploads: the directory of unfinished uploads.
  ///   - files: the complete files.
  ///   - meter: receives the duration of each commit.
  ///   - report: receives the cause of a failure whose client gets another sentence.
  init(
    store: any RecordStore, uploads: AssetFiles, files: any CompleteFiles, quotas: QuotaPolicy,
    meter: CommitMeter, logger: Logger, report: @escaping FailureReport
  ) {
    let encode = Server.encode
    storage = StorageThread(
      store: store, quotas: quotas, meter: meter, report: report,
      // Saves stop at half the reserve: the database's own files need the rest.
      hasDiskRoom: { files.freeBytes.map { $0 >= uploads.reserveBytes / 2 } ?? true },
      deleteFiles: { digests in
        do {
          try files.remove(digests)
        } catch {
          // The check at the next start deletes them.
          report(error)
        }
      },
      clock: { BrokerClock.now() })
    reading = ReadingThread(
      store: store, encode: encode, report: report, clock: BrokerClock.forQuery)
    longQueries = ReadingThread(
      store: store, encode: encode, report: report, givesWay: true,
      clock: BrokerClock.forQuery)
    queries = ReadingThread(
      store: store, encode: encode, report: report, longer: longQueries,
      clock: BrokerClock.forBriefQuery)
    assets = AssetThread(
      uploads: uploads, files: files, store: store, logger: logger, report: report)
  }

  /// Ends the threads when all their requests are done, first the one that others wait for.
  func stop() async throws {
    try await storage.stop()
    try await reading.stop()
    try await queries.stop()
    try await longQueries.stop()
    try await assets.stop()
    storage.emptyLog()
  }
}
