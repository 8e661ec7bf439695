// The part of the driver's state that any task may read: the phase, the last failures, the reading of the public
// database, and the names of accounts and devices.

import DeviceStore
import Logging
import Records
import SyncCore
import Synchronization

/// The status of a device, readable from any task.
final class DriverStatus: Sendable {
  private struct State {
    var phase = Phase.offline
    /// The last failure of the device's database, until the device is live again.
    var storeFailure: StoreError?
    /// Why the last connection ended, or could not be opened, until the device is live again.
    var connectionFailure: RecordsError?
    var responsiveness = Responsiveness.prompt
    var isReadingPublicRecords = false
    var publicReadingRefusal: RecordsError?
    var confirmationCount: UInt64 = 0
    var erasureCount = 0
    var identity: Identity?
    /// Counts how often the identity was discarded.
    var identityGeneration = 0

    mutating func discardIdentity() {
      identity = nil
      identityGeneration += 1
    }
  }

  /// Publishes that the status may have changed.
  let changes = WatchHub<Void>()
  private let reader: DeviceReader
  private let state = Mutex(State())

  init(reader: DeviceReader) {
    self.reader = reader
  }

  var phase: Phase { state.withLock(\.phase) }
  var storeFailure: StoreError? { state.withLock(\.storeFailure) }
  var connectionFailure: RecordsError? { state.withLock(\.connectionFailure) }
  var responsiveness: Responsiveness { state.withLock(\.responsiveness) }
  var isReadingPublicRecords: Bool { state.withLock(\.isReadingPublicRecords) }
  var publicReadingRefusal: RecordsError? { state.withLock(\.publicReadingRefusal) }
  var erasureCount: Int { state.withLock(\.erasureCount) }

  /// Returns the names of accounts and devices. They are cached, because almost every caller needs them, and the
  /// status of the store takes long to count.
  /// - Throws: `StoreError`.
  func identity() throws -> Identity {
    let (cached, generation) = state.withLock { ($0.identity, $0.identityGeneration) }
    if let cached { return cached }
    let identity = try Identity(reader: reader)
    // NB: what was read before the directory changed must not be cached after it.
    state.withLock { if $0.identityGeneration == generation { $0.identity = identity } }
    return identity
  }

  /// Names may have changed: the next caller reads them again.
  func discardIdentity() {
    state.withLock { $0.discardIdentity() }
  }

  /// Sets the phase, and returns the former one. A live device has no failures.
  func enter(_ phase: Phase) -> Phase {
    state.withLock { state in
      defer { state.phase = phase }
      if phase == .live {
        state.storeFailure = nil
        state.connectionFailure = nil
      }
      // Only a connection to the broker can change names, and each one changes the phase.
      state.discardIdentity()
      return state.phase
    }
  }

  /// Stores why the database failed; `nil` if the error came from elsewhere.
  /// - Returns: whether the failure differs from the last one.
  func fail(_ failure: StoreError?) -> Bool {
    state.withLock { state in
      defer { state.storeFailure = failure }
      return failure == nil || failure != state.storeFailure
    }
  }

  /// Sets how fast the broker answers, and returns the former value.
  func enter(_ responsiveness: Responsiveness) -> Responsiveness {
    state.withLock { state in
      defer { state.responsiveness = responsiveness }
      return state.responsiveness
    }
  }

  /// Stores why a connection ended.
  func disconnected(because error: RecordsError) {
    state.withLock { $0.connectionFailure = error }
  }

  /// Counts news of confirmed records, and returns the number of those so far.
  func countConfirmation(_ isOne: Bool) -> UInt64 {
    state.withLock { state in
      if isOne { state.confirmationCount += 1 }
      return state.confirmationCount
    }
  }

  /// Counts an erasure of records.
  func erased() {
    state.withLock { $0.erasureCount += 1 }
  }

  /// A reading of the public database began.
  func publicReadingBegan() {
    state.withLock { $0.isReadingPublicRecords = true }
  }

  /// A reading of the public database ended, possibly because the broker rejected it.
  /// - Returns: whether the reason differs from that of the last reading.
  func publicReadingEnded(refusal: RecordsError?) -> Bool {
    state.withLock { state in
      defer {
        state.isReadingPublicRecords = false
        state.publicReadingRefusal = refusal
      }
      return state.publicReadingRefusal != refusal
    }
  }
}

extension ReplicaDriver {
  /// The relation of the device to the broker now.
  package nonisolated var phase: Phase { status.phase }

  /// The last failure of the device's database; `nil` once the device is live again.
  package nonisolated var storeFailure: StoreError? { status.storeFailure }

  /// Publishes that the phase, the last failures, or the number of unsent or rejected edits may have changed. There may
  /// be a report without a change.
  package nonisolated var statusChanges: WatchHub<Void> { status.changes }

  /// Why the last connection to the broker ended, or could not be opened; `nil` once the device is live again.
  package nonisolated var connectionFailure: RecordsError? { status.connectionFailure }

  /// How fast the broker answers.
  package nonisolated var responsiveness: Responsiveness { status.responsiveness }

  /// Whether the public database is being read.
  package nonisolated var isReadingPublicRecords: Bool { status.isReadingPublicRecords }

  /// Why the broker rejected the last reading of the public database; `nil` if it did not.
  package nonisolated var publicReadingRefusal: RecordsError? { status.publicReadingRefusal }

  /// How often records were erased since the start, because the user signed out, the device was removed, or it lost
  /// access to a zone. A watcher that finds another number reads the records again.
  package nonisolated var erasureCount: Int { status.erasureCount }

  /// Returns the names of this account and device, and of others as far as this device knows them. Cached; cheap.
  /// - Throws: `StoreError`.
  package nonisolated func identity() throws -> Identity { try status.identity() }

  /// Attempts that fail are not logged above debug; reaching and losing the broker is.
  func enter(_ phase: Phase) {
    let former = status.enter(phase)
    if former == .live, phase != .live { storeSyncTime() }
    environment.hooks.phaseChanged(phase)
    let isNews = phase == .live || former == .live || phase.isRefused
    logger.log(level: isNews ? .info : .debug, "Phase changed", metadata: ["phase": "\(phase)"])
  }

  /// Stores how fast the broker answers. The log has a line when it stops to answer.
  func enter(_ responsiveness: Responsiveness) {
    let former = status.enter(responsiveness)
    guard case .missing = responsiveness, former.isAnswer else { return }
    logger.notice("The broker does not answer")
  }

  /// Stores until when the device was live. The time is only shown; no decision depends on it.
  func storeSyncTime() {
    do {
      try replica.noteAgreement(at: connection.heardTime)
    } catch {
      logger.debug(
        "Cannot store the time of the last sync", metadata: ["error": "\(error.logText)"])
    }
  }
}

extension Phase {
  fileprivate var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}

extension Responsiveness {
  fileprivate var isAnswer: Bool {
    if case .missing = self { false } else { true }
  }
}

extension StoreError {
  /// The sentence that users see while the device's database cannot be written.
  package var statusSentence: String {
    switch kind {
    case .full:
      "This device's disk is full, so nothing can be downloaded or saved. Free some disk space; "
        + "synchronization then continues."
    case .inUse, .unreachable, .disk, .foreign, .otherVersion, .unreadable, .damaged, .unexpected:
      "This device's database cannot be written, so nothing is downloaded or sent: \(message)"
    }
  }
}
