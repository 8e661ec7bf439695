// The people and devices of the backup test: Alice has a laptop, a phone and a tablet, and shares a group
// with Bob, who has one device. The broker's disk fails in every way.

import Foundation
import GRDB
import Processes
import Testing

/// The broker, its backup and the devices.
struct BackupScenario {
  /// The company of a contact whose record is damaged.
  static let marker = "Harbour Light Pianos"

  let broker: RunningBroker
  let backup: TemporaryDirectory
  let laptop: Device
  let phone: Device
  let tablet: Device
  let guest: Device
  let photos = EndToEnd.PhotoTests()
  /// The photos of Ann and of Ben.
  let pictures = [
    EndToEnd.PhotoTests.picture(byteCount: 300_000),
    EndToEnd.PhotoTests.picture(byteCount: 200_000, seed: 2),
  ]

  init() async throws {
    backup = try TemporaryDirectory()
    broker = try await RunningBroker()
    laptop = try await Device("laptop", brokerPath: broker.socketPath)
    phone = try await Device("phone", brokerPath: broker.socketPath)
    tablet = try await Device("tablet", brokerPath: broker.socketPath)
    guest = try await Device("guest", account: "bob", brokerPath: broker.socketPath)
  }

  var state: String { broker.directory.file("state") }

  // MARK: People

  /// Creates the contacts. Ann and Ben have photos, Cora and Dora are in the shared group, Gone is deleted
  /// later.
  func fill() async throws {
    for (name, picture) in zip(["Ann", "Ben"], pictures) {
      let path = try photos.file(picture, in: laptop)
      try await laptop.does(
        "add", "--first", name, "--company", name == "Ann" ? Self.marker : "Plain", "--photo", path)
    }
    try await laptop.does("add", "--first", "Gone")
    try await laptop.does("group", "add", "Rowing")
    try await laptop.does("add", "--first", "Cora", "--group", "Rowing")
    try await laptop.settles()
    let link = try await laptop.does("share", "Rowing", "--anyone", "write")
    try await guest.does("accept", link, "--yes")
    try await guest.has("Rowing")
    try await guest.does("add", "--first", "Dora", "--group", "Rowing")
    _ = try await laptop.id(of: "Dora")
    try await agree([laptop, phone, tablet])
    try await showPhotos(on: tablet)
  }

  /// Waits until these devices of Alice show the same.
  func agree(_ devices: [Device]) async throws {
    _ = try await Agreement.wait(among: devices.map(\.requests))
  }

  func showPhotos(on device: Device) async throws {
    for (name, picture) in zip(["Ann", "Ben"], pictures) {
      try await photos.shows(picture, of: try await device.id(of: name), on: device)
    }
  }

  // MARK: The operator

  func administer(_ arguments: String...) async throws -> Device.CommandResult {
    try await Device.run("contacts-broker", arguments + ["--state", state])
  }

  func stopBroker() async throws {
    broker.program.send(SIGTERM)
    _ = try await broker.program.end()
  }

  /// Restores the backup to an empty disk. Returns the command's result.
  func restore() async throws -> Device.CommandResult {
    try await broker.kill()
    try FileManager.default.removeItem(atPath: state)
    let result = try await administer("restore", backup.path)
    try await broker.restart()
    return result
  }

  /// Waits until the broker has all its records and files.
  func isComplete() async throws {
    try await Patience.wait(until: "the broker to have everything", within: .seconds(60)) {
      try await administer("check").output == "No faults found.\n"
    }
  }

  // MARK: Damage

  /// Damages a record and two files of the stopped broker.
  func damageBroker() throws {
    try broker.directory.flip(Self.marker, in: "state/broker.sqlite")
    let files = try broker.directory.files(in: "state/assets").sorted()
    #expect(files.count == 2)
    try FileManager.default.removeItem(atPath: files[0])
    try Self.flipBit(of: files[1], at: 1000)
  }

  /// Flips a bit in the backup's index of records by name.
  func damageIndexOfBackup() throws {
    let queue = try DatabaseQueue(path: backup.file("broker.sqlite"))
    let (page, size) = try queue.read { db in
      let root = try Int.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_record_1'")
      return (root ?? 0, try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    try queue.close()
    #expect(page > 0)
    // The last bytes of a page are its first entry: a name, and the key of its row.
    try Self.flipBit(of: backup.file("broker.sqlite"), at: page * size - 6)
  }

  /// Truncates the broker's write-ahead log, like a disk that lost a write it had confirmed.
  func tearLog() throws {
    let path = "\(state)/broker.sqlite-wal"
    let file = try FileHandle(forUpdating: URL(filePath: path))
    let end = try file.seekToEnd()
    #expect(end > 0)
    try file.truncate(atOffset: end / 2 + 100)
    try file.close()
  }

  private static func flipBit(of path: String, at offset: Int) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[offset] ^= 1
    try bytes.write(to: URL(filePath: path))
  }
}
