// The public database of a real broker, with permissions from its settings: two accounts, a kill, and the
// deletion of an account.

import Crypto
import Processes
import Records
import RecordsWire
import Testing

@Suite("K5, T1, I11 the public database over the socket", .timeLimit(.minutes(5)))
struct PublicDatabaseTests {
  private struct Person {
    var device: WireDevice
    var client: WireClient

    init(_ name: String, at broker: RunningBroker) async throws {
      device = WireDevice(account: name)
      client = try await device.connect(broker)
    }

    mutating func change(_ operation: Operation) async throws -> RecordsError? {
      let results = try await device.perform(operation, in: .public, over: client)
      guard case .failed(let error, _)? = results.first else { return nil }
      return error
    }

    func names(_ type: String) async throws -> [String] {
      let form = QueryForm(
        database: .public, zone: nil, type: RecordType(stored: type),
        predicate: PredicateText("TRUEPREDICATE"))
      let answer = try await client.ask(.query(form))
      guard case .found(let page) = answer else { throw Unexpected(answer) }
      return page.records.map(\.change.name.text)
    }
  }

  private func save(_ name: String, _ type: String, _ fields: Fields = [:]) -> Operation {
    .save(
      Operation.Save(
        name: RecordName(stored: name), type: RecordType(stored: type), tag: nil,
        fields: EncodedRecord(fields)))
  }

  @Test func `permissions are those of the settings, after a kill and for notifications too`()
    async throws
  {
    let broker = try await RunningBroker(
      settings: [
        "CONTACTS_BROKER_PUBLIC":
          "Note: create account; Secret: create account, read creator; *: create nobody"
      ])
    var anna = try await Person("anna", at: broker)
    var bob = try await Person("bob", at: broker)
    for type in ["Note", "Secret"] {
      let form = SubscriptionForm(
        id: SubscriptionID(stored: type), database: .public,
        kind: .query(
          type: RecordType(stored: type), predicate: PredicateText("TRUEPREDICATE"), zone: nil))
      #expect(try await bob.client.subscribe(form) == nil)
    }
    #expect(try await anna.change(save("s", "Secret")) == nil)
    #expect(try await anna.change(.note("n")) == nil)
    let refused = try await anna.change(save("p", "Post"))
    #expect(refused?.code == .permissionFailure && refused?.reason == "publicCreate")
    try await broker.kill()
    try await broker.restart()
    anna.client = try await anna.device.connect(broker)
    bob.client = try await bob.device.connect(broker)
    var ledger = ToldLedger()
    try await bob.client.follow(into: &ledger) { _, page in page.isLevel }
    #expect(
      ledger.names == ["n"],
      "a record that only its creator may read causes no notification to others")
    #expect(ledger.received.map(\.database) == [.public])
    #expect(try await bob.client.record("n", in: .public)?.type.text == "Note")
    #expect(try await bob.client.record("s", in: .public) == nil)
    #expect(try await anna.client.record("s", in: .public) != nil)
    let denied = try await bob.change(
      .delete(Operation.Delete(name: RecordName(stored: "n"), tag: nil, isForced: true)))
    #expect(denied?.reason == "publicWrite")
    let journal = broker.program.standardError
    #expect(journal.contains("publicWrite"))
    #expect(!journal.contains("record n"), "a log names no record")
    #expect(journal.contains("\(ZoneID.public)") && journal.contains("permissionFailure"))
    _ = try await bob.client.send(.attach([ZonePosition(zone: .public, token: nil)]))
    let reset = try await bob.client.first("a reset") { frame in
      if case .reset(.public, let error) = frame.message { error } else { nil }
    }
    #expect(reset.reason == "publicZone")
    let shared = try await bob.client.ask(.share(.fetch(.public)))
    guard case .error(let error) = shared else { throw Unexpected(shared) }
    #expect(error.reason == "publicZone")
  }

  @Test func `any account can fetch a photo, and it is deleted with its account`() async throws {
    let broker = try await RunningBroker()
    var anna = try await Person("anna", at: broker)
    var bob = try await Person("bob", at: broker)
    let content = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let photo = Asset(digest: Array(SHA256.hash(data: content)), sizeBytes: UInt64(content.count))
    _ = try await anna.client.ask(.offerAsset(photo))
    let sent = try await anna.client.ask(
      .assetPiece(AssetPiece(digest: photo.id, offset: 0, content: content)))
    guard case .assetStanding(let standing) = sent, standing.isHeld else { throw Unexpected(sent) }
    #expect(try await anna.change(save("p", "Post", ["photo": .asset(photo)])) == nil)
    #expect(try await bob.change(save("c", "Comment", ["text": .string("Oh")])) == nil)
    let fetch = AssetFetch(zone: .public, digest: photo.id, offset: 0)
    let fetched = try await bob.client.ask(.fetchAsset(fetch))
    guard case .assetPiece(let piece) = fetched else { throw Unexpected(fetched) }
    #expect(piece.content == content[...])
    #expect(try await bob.names("Post") == ["p"])
    let deletion = try RunningProgram(
      "contacts-broker",
      ["account", "delete", "anna", "--yes", "--state", broker.directory.file("state")])
    #expect(try await deletion.end() == 0, "\(deletion.standardError)")
    try await Patience.wait(until: "anna's post to go") { try await bob.names("Post").isEmpty }
    #expect(try await bob.names("Comment") == ["c"])
    let gone = try await bob.client.ask(.fetchAsset(fetch))
    guard case .error(let error) = gone else { throw Unexpected(gone) }
    #expect(error.code == .assetNotAvailable)
  }

  @Test func `an invalid setting is reported before the broker starts, with 78`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("public = Post: read nobody\n".utf8), to: "broker.conf")
    let program = try RunningProgram(
      "contacts-broker", ["--config", directory.file("broker.conf"), "--check-config"])
    #expect(try await program.end() == 78)
    #expect(program.standardError.contains("“read nobody” is invalid for “Post”"))
    #expect(program.standardError.contains("The setting “public”"))
  }
}
