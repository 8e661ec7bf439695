// Frames between the socket and the store. What one read of the socket returned is stored together. A page of a first sync
// has some hundred records; the driver prepares it on another thread, and stores the page before it meanwhile. Then there
// are three pages in memory: the one that is stored, the one that is prepared, and the next one, beyond which the
// connection is paused. A preparation that does not end soon, because other work occupies all threads, is given up.

import DeviceStore
import NIOCore
import Records
import RecordsWire
import SyncCore

/// The frames that arrived on a connection and are not stored yet, in their order: those that were prepared, those that are
/// being prepared, and the inbox.
struct IncomingFrames {
  /// The size of the inbox above which the connection is paused while other frames are prepared. A page of the feed is as
  /// large.
  static let bytesMaximum = 256 << 10

  private var prepared: [PreparedFrame] = []
  private var preparing: [BrokerFrame] = []
  private var inbox: [BrokerFrame] = []
  private var inboxBytes = 0
  /// The number of the present preparation, or of the last one. A result with another number is late.
  private(set) var number: UInt64 = 0

  /// Whether frames are being prepared. Those of the inbox wait for them.
  var isPreparing: Bool { !preparing.isEmpty }
  /// Whether prepared frames could be stored while the next ones are prepared, if those were here.
  var awaitsNext: Bool { !prepared.isEmpty && inbox.isEmpty }
  /// Whether the inbox must not get larger before the frames before it are stored.
  var isFull: Bool {
    (isPreparing || !prepared.isEmpty) && inboxBytes >= Self.bytesMaximum
  }

  /// Adds a frame to the inbox.
  /// - Returns: whether the inbox was empty.
  mutating func append(_ frame: BrokerFrame) -> Bool {
    inbox.append(frame)
    inboxBytes += frame.message.estimatedBytes
    return inbox.count == 1
  }

  /// Removes and returns the frames of the inbox.
  mutating func takeInbox() -> [BrokerFrame] {
    defer { (inbox, inboxBytes) = ([], 0) }
    return inbox
  }

  /// Removes and returns the prepared frames.
  mutating func takePrepared() -> [PreparedFrame] {
    defer { prepared = [] }
    return prepared
  }

  /// The preparation of frames begins.
  mutating func begin(_ frames: [BrokerFrame]) {
    number += 1
    preparing = frames
  }

  /// Frames were prepared.
  /// - Returns: `false` if the result is late.
  mutating func end(_ frames: [PreparedFrame], number: UInt64) -> Bool {
    guard isPreparing, number == self.number else { return false }
    prepared = frames
    preparing = []
    return true
  }

  /// Removes and returns all frames. The preparation under way is given up.
  mutating func takeAll() -> [PreparedFrame] {
    defer { removeAll() }
    return prepared + (preparing + inbox).map { PreparedFrame($0) }
  }

  /// Drops all frames, and gives up the preparation under way.
  mutating func removeAll() {
    number += 1
    (prepared, preparing, inbox, inboxBytes) = ([], [], [], 0)
  }
}

extension BrokerMessage {
  /// About the memory of the message. Of those that can be large, pages of changes are the most frequent.
  fileprivate var estimatedBytes: Int {
    switch self {
    case .changes(let page): page.changes.reduce(0) { $0 + $1.record.bytes.count + 256 }
    case .checkpoint, .pong, .level, .assetStanding: 1024
    default: 64 << 10
    }
  }
}

extension ReplicaDriver {
  /// How long prepared frames of a first sync wait for the next ones, so that these are prepared while the former are
  /// stored.
  private static let waitForNext = TimeAmount.milliseconds(2)

  /// Stores the frames that arrived, in one transaction. If they have many changes, they are prepared first.
  func readInbox(mayWait: Bool = true) {
    guard !connection.incoming.isPreparing else { return }
    if mayWait, connection.incoming.awaitsNext, replica.phase == .catchingUp {
      return waitForNextFrames()
    }
    var ready = connection.incoming.takePrepared()
    let arrived = connection.incoming.takeInbox()
    if let preparation = replica.preparation(of: arrived) {
      prepare(preparation)
    } else {
      ready += arrived.map { PreparedFrame($0) }
    }
    store(ready)
    // NB: not earlier: it may deliver frames, and the end of the connection, before it returns.
    connection.resumeIfRoom()
  }

  /// Stores frames in one transaction.
  func store(_ frames: [PreparedFrame]) {
    guard !frames.isEmpty else { return }
    act { try replica.received(prepared: frames, now: $0) }
  }

  private func waitForNextFrames() {
    let number = connection.incoming.number
    perform(after: Self.waitForNext) { driver in
      guard driver.connection.incoming.number == number else { return }
      driver.readInbox(mayWait: false)
    }
  }

  private func prepare(_ preparation: FramePreparation) {
    connection.incoming.begin(preparation.frames)
    let work = PreparationWork(
      preparation: preparation, number: connection.incoming.number, driver: self)
    // NB: a task of its own, so that the loop stores other frames meanwhile. The connection cancels it when it closes.
    connection.preparation = Task.detached(executorPreference: globalConcurrentExecutor) {
      await work.perform()
    }
    perform(after: environment.preparationLimit) { [number = work.number] driver in
      guard driver.connection.incoming.isPreparing, driver.connection.incoming.number == number
      else { return }
      driver.store(driver.connection.takeAll())
      driver.connection.resumeIfRoom()
    }
  }

  /// The preparation on another thread.
  private struct PreparationWork: Sendable {
    let preparation: FramePreparation
    let number: UInt64
    let driver: ReplicaDriver

    func perform() async {
      await driver.prepared(preparation.prepared(), number: number)
    }
  }

  private func prepared(_ frames: [PreparedFrame], number: UInt64) {
    guard connection.incoming.end(frames, number: number) else { return }
    connection.preparation = nil
    readInbox()
  }
}
