// P5, the device's side: a new device reads everything from the start. The frames are created beforehand,
// as a broker would send them. The time is from the first frame's bytes to the last commit. The database
// remains: a C program writes the same rows from it, and an agent opens it.

import AddressBook
import AgentStore
import Collation
import DeviceStore
import Foundation
import Measuring
import Records
import RecordsWire

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
  func measure() throws {
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let database = try DeviceDatabase(path: state + "/contacts.sqlite")
    let replica = try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "bench", deviceName: "bench"),
      bundled: [],
      language: Language("en_US"), generator: SystemRandomNumberGenerator(), now: now())
    _ = replica.start()
    _ = try replica.connected(now: now())
    _ = try replica.received(.welcome(welcome), replyTo: 1, now: now())
    _ = try replica.received(.directory(directory), replyTo: 0, now: now())
    var people = InventedPeople(seed: 7)
    var done = 0
    var seconds = 0.0
    var processorSeconds = 0.0
    while done < contacts {
      let count = min(Self.contactsPerFrame, contacts - done)
      let payload = frame(from: done, count: count, &people)
      let start = Measurement.monotonicSeconds()
      let processorStart = Self.processorSeconds()
      let message = try BrokerFrame(payload: payload).message
      _ = try replica.received(message, replyTo: 0, now: now())
      seconds += Measurement.monotonicSeconds() - start
      processorSeconds += Self.processorSeconds() - processorStart
      done += count
    }
    let head = Revision(Int64(contacts))
    _ = try replica.received(
      .level(
        zone: Self.zone, incarnation: Self.incarnation, head: head, scanStart: head),
      replyTo: 0, now: now())
    guard try replica.reader.contactCount() == contacts else {
      throw BenchFailure("The device shows \(try replica.reader.contactCount()) contacts.")
    }
    Measurement.report("device_sync_\(contacts)_per_s", Double(contacts) / seconds)
    Measurement.report("device_sync_\(contacts)_us_each", processorSeconds / Double(contacts) * 1e6)
    try index(replica)
    Measurement.report("device_sync_\(contacts)_peak_kib", Measurement.statusKibibytes("VmHWM"))
    try replica.close()
    try database.close()
    // NB: up to 16 MiB of a small database are in its log only.
    guard contacts >= 100_000 else { return }
    let file = try FileManager.default.attributesOfItem(atPath: state + "/contacts.sqlite")
    let size = (file[.size] as? NSNumber)?.doubleValue ?? 0
    Measurement.report("device_sync_\(contacts)_bytes_each", size / Double(contacts))
  }

  /// The processor time of this process so far.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Does the background work: the full-text index and the lists' indexes.
  private func index(_ replica: Replica) throws {
    let start = Measurement.monotonicSeconds()
    while try replica.advanceProjections(now: now()) {}
    Measurement.report(
      "device_sync_\(contacts)_indexed_s", Measurement.monotonicSeconds() - start)
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
