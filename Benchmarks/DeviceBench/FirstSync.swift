// P5, the device's side: a new device reads everything from the start, with the driver of an agent. The frames are created
// beforehand, as a broker would send them. The time is from the first frame's bytes to the last commit. The database
// remains: a C program writes the same rows from it, and an agent opens it.

import AddressBook
import AgentStore
import Collation
import DeviceDriver
import DeviceStore
import Foundation
import Logging
import Measuring
import NIOCore
import NIOPosix
import Records
import RecordsWire
import SyncCore
import Synchronization

/// A first synchronization of a number of contacts.
struct FirstSync {
  let contacts: Int
  let state: String

  private static let account = AccountID(0xBE7C4)
  private static let zone = ZoneID(owner: account, name: ZoneID.standard.name)
  private static let incarnation = Incarnation(1)
  // The broker's pages are 256 KiB, about 500 contacts.
  private static let contactsPerFrame = 500

  /// Measures and prints the contacts a second and the peak memory of the process.
  func measure() async throws {
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let database = try DeviceDatabase(path: state + "/contacts.sqlite")
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let feed = FrameFeed(
      loop: loop, file: try frames(), welcome: welcome, directory: directory)
    let files = try DeviceFiles(directory: state + "/assets", logger: Self.logger)
    let live = LiveTime()
    let driver = ReplicaDriver(
      replica: try replica(database), files: files,
      environment: environment(loop, feed, live))
    await driver.start()
    try await live.wait(for: .catchingUp)
    let start = LiveTime.Moment.now
    feed.start()
    let end = try await live.wait(for: .live)
    guard try driver.reader.contactCount() == contacts else {
      throw BenchFailure("The device shows \(try driver.reader.contactCount()) contacts.")
    }
    Measurement.report(
      "device_sync_\(contacts)_per_s", Double(contacts) / (end.seconds - start.seconds))
    Measurement.report(
      "device_sync_\(contacts)_us_each",
      (end.processorSeconds - start.processorSeconds) / Double(contacts) * 1e6)
    try await index(driver)
    Measurement.report("device_sync_\(contacts)_peak_kib", Measurement.statusKibibytes("VmHWM"))
    await driver.stop()
    try await driver.close()
    await files.stop()
    try database.close()
    try reportSize()
  }

  /// The frames of the sync, and the end of the zone.
  private func frames() throws -> FrameFile {
    let file = try FrameFile(path: state + "/frames")
    var people = InventedPeople(seed: 7)
    for first in stride(from: 0, to: contacts, by: Self.contactsPerFrame) {
      let count = min(Self.contactsPerFrame, contacts - first)
      try file.append(frame(from: first, count: count, &people))
    }
    let head = Revision(Int64(contacts))
    let level = BrokerMessage.level(
      zone: Self.zone, incarnation: Self.incarnation, head: head, scanStart: head)
    try file.append(BrokerFrame(replyTo: 0, message: level).payload)
    try file.rewind()
    return file
  }

  private func replica(_ database: DeviceDatabase) throws -> sending Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "bench", deviceName: "bench"),
      bundled: [],
      language: Language("en_US"), generator: SystemRandomNumberGenerator(), now: now())
  }

  private func environment(
    _ loop: any EventLoop, _ feed: FrameFeed, _ live: LiveTime
  ) -> DriverEnvironment {
    var hooks = DriverHooks()
    hooks.phaseChanged = { live.note($0) }
    return DriverEnvironment(loop: loop, connector: feed, logger: Self.logger, hooks: hooks)
  }

  private static let logger = Logger(label: "device-bench") { _ in SwiftLogNoOpLogHandler() }

  /// Does the rest of the background work: the full-text index and the lists' indexes.
  private func index(_ driver: ReplicaDriver) async throws {
    let start = Measurement.monotonicSeconds()
    try await driver.edit { replica, now in
      while try replica.advanceProjections(isIdle: true, now: now) {}
      return ((), [])
    }
    Measurement.report(
      "device_sync_\(contacts)_indexed_s", Measurement.monotonicSeconds() - start)
  }

  private func reportSize() throws {
    // NB: up to 16 MiB of a small database are in its log only.
    guard contacts >= 100_000 else { return }
    let file = try FileManager.default.attributesOfItem(atPath: state + "/contacts.sqlite")
    let size = (file[.size] as? NSNumber)?.doubleValue ?? 0
    Measurement.report("device_sync_\(contacts)_bytes_each", size / Double(contacts))
  }

  private func now() -> Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
  }

  private var welcome: Welcome {
    Welcome(
      version: 1, account: Self.account, accountName: "bench", device: DeviceID(1),
      lastNumber: .zero, directory: Revision(1), heartbeatSeconds: 30)
  }

  private var directory: DirectoryPage {
    let entry = DirectoryEntry(
      revision: Revision(1), zone: Self.zone, title: "", role: .owner, isWritable: true,
      incarnation: Self.incarnation, isDeleted: false)
    return DirectoryPage(from: .zero, to: Revision(1), entries: [entry])
  }

  private func frame(from first: Int, count: Int, _ people: inout InventedPeople) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let changes = (1...count).map { index in
      let revision = Int64(first + index)
      let time = Timestamp(microseconds: 1_700_000_000_000_000 + revision * 1000)
      let stamp = Stamp(
        time: time,
        origin: Origin(
          account: Self.account, device: DeviceID(2), request: RequestNumber(revision)))
      return Change(
        name: .generated(at: time, using: &generator), tag: Revision(revision), kind: .saved,
        type: RecordType(stored: "Contact"), created: stamp, modified: stamp,
        record: EncodedRecord(people.next()))
    }
    let message = ZoneChanges(
      zone: Self.zone, incarnation: Self.incarnation, from: Revision(Int64(first)),
      to: Revision(Int64(first + count)), scanStart: Revision(Int64(contacts)), changes: changes)
    return BrokerFrame(replyTo: 0, message: .changes(message)).payload
  }
}

/// When a device entered its phases.
private final class LiveTime: Sendable {
  /// A time of the machine and of the process.
  struct Moment: Sendable {
    let seconds: Double
    let processorSeconds: Double

    /// The present time.
    static var now: Moment {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Moment(
        seconds: Measurement.monotonicSeconds(),
        processorSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
  }

  private static let timeoutSeconds = 120.0
  private let moments = Mutex<[Phase: Moment]>([:])

  func note(_ phase: Phase) {
    let moment = Moment.now
    moments.withLock { $0[phase] = moment }
  }

  /// Waits for a phase, and returns when it began.
  @discardableResult
  func wait(for phase: Phase) async throws -> Moment {
    let start = Measurement.monotonicSeconds()
    while Measurement.monotonicSeconds() < start + Self.timeoutSeconds {
      if let moment = moments.withLock({ $0[phase] }) { return moment }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BenchFailure("The device is not \(phase) after \(Self.timeoutSeconds) s.")
  }
}
