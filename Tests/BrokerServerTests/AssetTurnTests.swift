// The thread that reads and writes asset files serves accounts in turns.

import AssetFiles
import BrokerCore
import BrokerStore
import Foundation
import Logging
import NIOPosix
import Records
import Synchronization
import Testing

@testable import BrokerServer

@Suite("I11, I19 turns of accounts at the asset files")
struct AssetTurnTests {
  @Test func `an account that requests one chunk waits behind one chunk of another account`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "turns-\(UUID())").path
    let files = try AssetFiles(directory: folder, reserveBytes: 0)
    let thread = AssetThread(
      uploads: files, files: files, store: try SQLiteRecordStore(),
      logger: Logger(label: "test")
    ) { _ in }
    // Block the thread until all requests are queued.
    let gate = DispatchSemaphore(value: 0)
    thread.verifyPresence { _ in gate.wait() }
    let (done, continuation) = AsyncStream<StoreKey>.makeStream()
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let digest = try #require(AssetDigest(bytes: Array(repeating: 1, count: 32)))
    let asset = Asset(digest, sizeBytes: 10)
    for account in Array(repeating: 1, count: 1000) + [2] as [StoreKey] {
      let id = UploadID(digest, container: 1, account: account, device: 1)
      let chunk = AssetPiece(digest: digest, offset: 0, content: [1])
      let context = RequestContext(
        connection: ConnectionID(1), replyTo: 1,
        identity: SessionIdentity(
          container: 1, account: AccountID(5), accountKey: account, device: DeviceID(7),
          deviceKey: 1))
      thread.perform(.append(id, asset, chunk, context), on: loop) { _ in
        continuation.yield(account)
      }
    }
    gate.signal()
    var accounts: [StoreKey] = []
    for await account in done {
      accounts.append(account)
      if accounts.count == 1001 { break }
    }
    #expect(accounts.firstIndex(of: 2).map { $0 <= 1 } == true)
    try await thread.stop()
  }
}
