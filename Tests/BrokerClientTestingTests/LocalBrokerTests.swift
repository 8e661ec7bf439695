import BrokerClient
import BrokerClientTesting
import BrokerLinks
import FoundationEssentials
import Testing

@Suite("K5 a broker inside a test", .timeLimit(.minutes(1)))
struct LocalBrokerTests {
  @Test func `a broker that starts again on the same storage has its records and its address`()
    async throws
  {
    let storage = try LocalBroker.Storage()
    let id = try await LocalBroker.run(on: storage) { broker in
      #expect(broker.address == storage.address)
      let database = broker.container(device: "laptop").privateDatabase
      return try await database.save(Record(recordType: "Note", fields: ["text": "tent"])).id
    }
    try await LocalBroker.run(on: storage) { broker in
      #expect(broker.address == storage.address)
      let phone = broker.container(device: "phone")
      let note = try await phone.privateDatabase.record(for: id)
      #expect(note["text"] == "tent")
    }
  }

  @Test func `two brokers at the same time share no records`() async throws {
    try await LocalBroker.run { first in
      let id = try await first.container().privateDatabase.save(Record(recordType: "Note")).id
      try await LocalBroker.run { second in
        #expect(first.address != second.address)
        let error = await #expect(throws: RecordsError.self) {
          try await second.container().privateDatabase.record(for: id)
        }
        #expect(error?.code == .unknownItem)
      }
    }
  }

  @Test func `accounts do not see each other's private records`() async throws {
    try await LocalBroker.run { broker in
      let id = try await broker.container(account: "alice").privateDatabase
        .save(Record(recordType: "Note")).id
      let error = await #expect(throws: RecordsError.self) {
        try await broker.container(account: "bob").privateDatabase.record(for: id)
      }
      #expect(error?.code == .unknownItem)
    }
  }

  @Test func `the rights of public databases apply, and rights that cannot be read are an error`()
    async throws
  {
    #expect(throws: (any Error).self) { try LocalBroker.Storage(publicRights: "News: fly") }
    let storage = try LocalBroker.Storage(publicRights: "News: create nobody")
    try await LocalBroker.run(on: storage) { broker in
      let database = broker.container().publicDatabase
      try await database.save(Record(recordType: "Note"))
      let error = await #expect(throws: RecordsError.self) {
        try await database.save(Record(recordType: "News"))
      }
      #expect(error?.code == .permissionFailure)
    }
  }

  @Test func `a second broker on a storage in use fails, and the first one keeps its socket`()
    async throws
  {
    let storage = try LocalBroker.Storage()
    try await LocalBroker.run(on: storage) { broker in
      let error = await #expect(throws: RecordsError.self) {
        try await LocalBroker.run(on: storage) { _ in }
      }
      #expect(error?.reason == "inUse")
      let database = broker.container().privateDatabase
      let note = try await database.save(Record(recordType: "Note"))
      #expect(try await database.record(for: note.id).id == note.id)
    }
    try await LocalBroker.run(on: storage) { broker in
      _ = try await broker.container().privateDatabase.save(Record(recordType: "Note"))
    }
  }

  @Test func `the socket is gone when the storage is`() async throws {
    var path = ""
    do {
      let storage = try LocalBroker.Storage()
      guard case .unixSocket(let socket)? = storage.address.endpoints.first else {
        Issue.record("The broker has no socket: \(storage.address)")
        return
      }
      path = socket
      try await LocalBroker.run(on: storage) { broker in
        #expect(FileManager.default.fileExists(atPath: socket))
        #expect(await broker.container().accountStatus() == .available)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    let directory = path.split(separator: "/").dropLast().joined(separator: "/")
    #expect(!FileManager.default.fileExists(atPath: "/" + directory))
  }
}
