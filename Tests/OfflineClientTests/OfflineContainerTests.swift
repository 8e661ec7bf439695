import BrokerClientTesting
import Foundation
import OfflineClient
import Testing

@Suite("E1 an offline container", .timeLimit(.minutes(2)))
struct OfflineContainerTests {
  private let directory: DeviceDirectory

  init() throws { directory = try DeviceDirectory() }

  @Test func `without a broker everything is saved, and is there after a restart`() async throws {
    let first = try await directory.open("laptop")
    let note = try await first.save(Record(recordType: "Note", fields: ["text": "bread"]))
    try await first.save(Record(recordType: "Note", fields: ["text": "milk"]))
    try await first.deleteRecord(withID: note.id)
    #expect(try first.status().connection == .offline)
    #expect(try first.status().pendingEditCount == 1)
    try await first.close()
    let second = try await directory.open("laptop")
    #expect(try second.notes() == ["milk"])
    try await second.close()
  }

  @Test func `what was saved before the first connection is sent with it`() async throws {
    let alone = try await directory.open("laptop")
    try await alone.save(Record(recordType: "Note", fields: ["text": "early"]))
    try await alone.close()
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      let phone = try await directory.open("phone", broker: broker.address)
      try await laptop.synced()
      try await phone.synced()
      #expect(try phone.notes() == ["early"])
      #expect(try laptop.status().pendingEditCount == 0)
      #expect(try laptop.status().accountName == "ada")
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `a second opening of the file has a sentence, until the first is closed`() async throws
  {
    let first = try await directory.open("laptop")
    let error = await #expect(throws: RecordsError.self) {
      _ = try await directory.open("laptop")
    }
    #expect(error?.reason == "inUse" && error?.code == .serviceUnavailable)
    #expect(error?.message.contains("already open in this program") == true)
    try await first.close()
    try await directory.open("laptop").close()
  }

  @Test func `a file of another account is refused`() async throws {
    try await LocalBroker.run { broker in
      let ada = try await directory.open("laptop", broker: broker.address)
      try await ada.synced()
      try await ada.close()
      let error = await #expect(throws: RecordsError.self) {
        _ = try await directory.open("laptop", account: "eve", broker: broker.address)
      }
      #expect(error?.code == .invalidArguments)
    }
  }

  @Test(arguments: ["Note", "Note.", "Note.a.b.c!", ".text"])
  func `a malformed index is refused`(_ index: String) async throws {
    var configuration = directory.configuration("laptop")
    configuration.indexes = [index]
    let error = await #expect(throws: RecordsError.self) {
      _ = try await OfflineContainer.open(configuration)
    }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `a file that is no database is refused and unchanged`() async throws {
    let configuration = directory.configuration("laptop")
    let bytes = Data("This is a letter, not a database.".utf8)
    try bytes.write(to: URL(filePath: configuration.file))
    await #expect(throws: RecordsError.self) { _ = try await OfflineContainer.open(configuration) }
    #expect(try Data(contentsOf: URL(filePath: configuration.file)) == bytes)
  }

  @Test func `a directory that does not exist has a sentence`() async throws {
    var configuration = directory.configuration("laptop")
    configuration.file = "/tmp/does-not-exist-\(UInt64.random(in: 0 ... .max))/a.sqlite"
    let error = await #expect(throws: RecordsError.self) {
      _ = try await OfflineContainer.open(configuration)
    }
    #expect(error?.message.contains("Cannot open the container") == true)
  }

  @Test func `a transaction takes effect as a whole or not at all`() async throws {
    struct Stop: Error {}
    let container = try await directory.open("laptop")
    await #expect(throws: Stop.self) {
      try await container.write { transaction in
        try transaction.save(Record(recordType: "Note", fields: ["text": "lost"]))
        #expect(
          try transaction.records(matching: Query(recordType: "Note")).count == 1)
        throw Stop()
      }
    }
    #expect(try container.notes().isEmpty)
    let count = try await container.write { transaction in
      try transaction.save(Record(recordType: "Note", fields: ["text": "a"]))
      // A failed call changes nothing, and the transaction goes on.
      #expect(throws: RecordsError.self) {
        try transaction.save(
          Record(recordType: "Note", id: RecordID(recordName: "_bad"), fields: ["text": "b"]))
      }
      try transaction.save(Record(recordType: "Note", fields: ["text": "c"]))
      return try transaction.records(matching: Query(recordType: "Note")).count
    }
    #expect(count == 2)
    #expect(try container.notes() == ["a", "c"])
    try await container.undo()
    #expect(try container.notes().isEmpty)
    try await container.close()
  }

  @Test func `fields that two devices change offline are merged`() async throws {
    let storage = try LocalBroker.Storage()
    let laptop = try await directory.open("laptop", broker: storage.address)
    let phone = try await directory.open("phone", broker: storage.address)
    let id = RecordID(recordName: "n")
    try await LocalBroker.run(on: storage) { _ in
      try await laptop.save(
        Record(recordType: "Note", id: id, fields: ["text": "t", "folder": "f"]))
      try await laptop.synced()
      try await phone.synced()
    }
    try await eventually { try phone.status().connection == .offline }
    var mine = try #require(try laptop.record(for: id))
    mine["text"] = "laptop"
    try await laptop.save(mine)
    var theirs = try #require(try phone.record(for: id))
    theirs["folder"] = "phone"
    try await phone.save(theirs)
    try await LocalBroker.run(on: storage) { _ in
      try await laptop.synced()
      try await phone.synced()
      try await laptop.synced()
      for device in [laptop, phone] {
        let record = try #require(try device.record(for: id))
        #expect(record["text"] == "laptop" && record["folder"] == "phone")
        #expect(try device.conflicts().isEmpty)
      }
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `a field that both change is a conflict on both, until a user decides`() async throws {
    let storage = try LocalBroker.Storage()
    let laptop = try await directory.open("laptop", broker: storage.address)
    let phone = try await directory.open("phone", broker: storage.address)
    let id = RecordID(recordName: "n")
    try await LocalBroker.run(on: storage) { _ in
      try await laptop.save(Record(recordType: "Note", id: id, fields: ["text": "t"]))
      try await laptop.synced()
      try await phone.synced()
    }
    for (device, text) in [(laptop, "here"), (phone, "there")] {
      var record = try #require(try device.record(for: id))
      record["text"] = .string(text)
      try await device.save(record)
    }
    try await LocalBroker.run(on: storage) { _ in
      try await eventually {
        try laptop.conflicts().count == 1 && phone.conflicts().count == 1
      }
      let conflict = try #require(try laptop.conflicts().first)
      #expect(conflict.field == "text" && conflict.recordID == id && conflict.kind == .values)
      #expect(conflict.mine == "here" && conflict.theirs == "there")
      try await laptop.resolve(conflict, keeping: .mine)
      try await laptop.synced()
      try await phone.synced()
      #expect(try phone.conflicts().isEmpty)
      #expect(try phone.notes() == ["here"] && laptop.notes() == ["here"])
      let gone = await #expect(throws: RecordsError.self) {
        try await laptop.resolve(conflict, keeping: .theirs)
      }
      #expect(gone?.code == .unknownItem)
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `a save of a record that has changed since is refused, if the policy says so`()
    async throws
  {
    let container = try await directory.open("laptop")
    let note = try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    var first = note
    first["text"] = "b"
    try await container.save(first, policy: .ifServerRecordUnchanged)
    var second = note
    second["text"] = "c"
    let error = await #expect(throws: RecordsError.self) {
      try await container.save(second, policy: .ifServerRecordUnchanged)
    }
    #expect(error?.code == .serverRecordChanged && error?.serverRecord?["text"] == "b")
    var whole = Record(recordType: "Note", id: note.id, fields: ["folder": "x"])
    whole = try await container.save(whole, policy: .allKeys)
    #expect(whole.allKeys == ["folder"])
    try await container.close()
  }

  @Test func `an asset is here at once, and on the other device with its record`() async throws {
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      let phone = try await directory.open("phone", broker: broker.address)
      let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let asset = try await laptop.addAsset(content)
      let id = RecordID(recordName: "n")
      try await laptop.save(
        Record(recordType: "Note", id: id, fields: ["text": "t", "photo": .asset(asset)]))
      #expect(try await laptop.content(of: asset) == content)
      try await laptop.synced()
      try await eventually { try phone.record(for: id)?["photo"]?.asset != nil }
      #expect(try await phone.content(of: asset) == content)
      await #expect(throws: RecordsError.self) { try await laptop.addAsset([]) }
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `a save of a record that was deleted since does not create a part of it`()
    async throws
  {
    let container = try await directory.open("laptop")
    var note = try await container.save(
      Record(recordType: "Note", fields: ["text": "a", "folder": "f"]))
    try await container.deleteRecord(withID: note.id)
    note["text"] = "b"
    let changed = note
    let error = await #expect(throws: RecordsError.self) { try await container.save(changed) }
    #expect(error?.code == .unknownItem)
    #expect(try container.notes().isEmpty)
    // Replacing the whole record creates it again.
    try await container.save(changed, policy: .allKeys)
    #expect(try container.record(for: note.id)?.fields == ["text": "b", "folder": "f"])
    try await container.close()
  }

  @Test func `only the user can read the files`() async throws {
    let container = try await directory.open("laptop")
    try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    let file = directory.configuration("laptop").file
    for suffix in ["", "-wal", "-lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
    try await container.close()
  }

  @Test func `a container that was not closed keeps its file`() async throws {
    func forget() async throws {
      let container = try await directory.open("laptop", broker: .unixSocket("/tmp/none.sock"))
      try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    }
    try await forget()
    let error = await #expect(throws: RecordsError.self) {
      _ = try await directory.open("laptop")
    }
    #expect(error?.reason == "inUse")
  }

  @Test func `a public record of a type that is not configured is refused with a sentence`()
    async throws
  {
    let container = try await directory.open("laptop")
    let error = await #expect(throws: RecordsError.self) {
      try await container.save(Record(recordType: "Post"), in: .public)
    }
    #expect(error?.code == .invalidArguments && error?.hint.contains("publicTypes") == true)
    try await container.close()
  }

  @Test func `a closed container says so, and may be closed again`() async throws {
    let container = try await directory.open("laptop")
    try await container.close()
    try await container.close()
    let read = #expect(throws: RecordsError.self) { try container.notes() }
    #expect(read?.code == .operationCancelled)
    let write = await #expect(throws: RecordsError.self) {
      try await container.save(Record(recordType: "Note"))
    }
    #expect(write?.code == .operationCancelled)
  }

  @Test func `a deleted record can be restored`() async throws {
    let container = try await directory.open("laptop")
    let note = try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    try await container.deleteRecord(withID: note.id)
    #expect(try container.deletedRecords().map(\.title) == ["a"])
    try await container.restoreRecord(withID: note.id)
    #expect(try container.notes() == ["a"])
    #expect(try container.actions().count == 3)
    try await container.close()
  }
}
