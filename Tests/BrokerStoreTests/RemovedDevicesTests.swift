import BrokerCore
import BrokerStore
import Foundation
import Processes
import Records
import Testing

@Suite("R4 removed devices")
struct RemovedDevicesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.file(RemovedDevices.name) }

  @Test func `a removal is in the file before it is answered`() throws {
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    var client = try StoreClient(store)
    let phone = try StoreClient(store, key: [2]).identity.device
    #expect(try RemovedDevices(path: path).ids().isEmpty)
    _ = client.committer.perform(
      [.administer(.revokeDevice(phone), ConnectionID(9), replyTo: 1)], at: time(3))
    #expect(try RemovedDevices(path: path).ids() == [phone])
  }

  @Test func `a listed device is removed when a restored database is opened`() throws {
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    _ = try StoreClient(store)
    let phone = try StoreClient(store, key: [2]).identity.device
    try RemovedDevices(path: path).replace(with: [phone, DeviceID(77)])
    let reopened = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    #expect(throws: RecordsError.self) { try StoreClient(reopened, key: [2], device: phone) }
    #expect(try RemovedDevices(path: path).ids() == [phone, DeviceID(77)])
  }

  @Test func `a listed device that the restored database does not know cannot sign in`() throws {
    _ = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    try RemovedDevices(path: path).replace(with: [DeviceID(77)])
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    #expect(throws: RecordsError.self) { try StoreClient(store, key: [2], device: DeviceID(77)) }
    _ = try StoreClient(store, key: [2], device: DeviceID(78))
  }

  @Test func `an interrupted last line is left out, and a removal follows it`() throws {
    try Data("\(DeviceID(1))\n\(DeviceID(2))".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try RemovedDevices(path: path).ids() == [DeviceID(1)])
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    var client = try StoreClient(store)
    let phone = try StoreClient(store, key: [2]).identity.device
    _ = client.committer.perform(
      [.administer(.revokeDevice(phone), ConnectionID(9), replyTo: 1)], at: time(3))
    #expect(try RemovedDevices(path: path).ids() == [DeviceID(1), phone])
  }

  @Test func `a lost file is written again from the database`() throws {
    let store = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    var client = try StoreClient(store)
    let phone = try StoreClient(store, key: [2]).identity.device
    _ = client.committer.perform(
      [.administer(.revokeDevice(phone), ConnectionID(9), replyTo: 1)], at: time(3))
    try FileManager.default.removeItem(atPath: path)
    _ = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    #expect(try RemovedDevices(path: path).ids() == [phone])
  }

  @Test func `a line that is no id stops the broker with a sentence`() throws {
    _ = try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    try Data("\(DeviceID(1))\nphone\n".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) {
      try SQLiteRecordStore(path: directory.file("broker.sqlite"))
    }
    #expect(error?.message.contains("Line 2 of the file “\(path)”") == true)
  }
}
