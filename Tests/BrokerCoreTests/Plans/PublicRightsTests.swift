// Rights in the public database: as they are written, and as they decide.

import BrokerCore
import Records
import Testing

@Suite("K5, T1 rights in the public database")
struct PublicRightsTests {
  private let post = RecordType(stored: "Post")

  @Test func `nothing said, all read, accounts make, and who made it changes it`() throws {
    let rights = try PublicRights("")
    #expect(rights == PublicRights())
    #expect(rights.allowsCreating(post) && rights.isReadByAll(post))
    #expect(rights.allowsReading(post, of: ada, by: bob))
    #expect(rights.allowsWriting(post, of: ada, by: ada))
    #expect(!rights.allowsWriting(post, of: ada, by: bob))
  }

  @Test func `a type has what it is given, the rest what the star is given, wherever it stands`()
    throws
  {
    let rights = try PublicRights(
      " Post : write account ;Diary: read creator; *: create nobody, write nobody ; ")
    #expect(rights.rule(for: post) == .init(create: .nobody, read: .everyone, write: .account))
    let diary = RecordType(stored: "Diary")
    #expect(rights.rule(for: diary) == .init(create: .nobody, read: .creator, write: .nobody))
    #expect(rights.rest == .init(create: .nobody, read: .everyone, write: .nobody))
    #expect(!rights.allowsReading(diary, of: ada, by: bob))
    #expect(rights.allowsReading(diary, of: ada, by: ada))
    #expect(rights.allowsWriting(post, of: ada, by: bob))
    #expect(!rights.allowsWriting(diary, of: ada, by: ada))
  }

  @Test(arguments: [
    ("Post", "“Post” is not a record type, a colon and its rights."),
    ("1Post: read account", "record type"),
    ("Post: read", "“read” is not a right"),
    ("Post: read all", "“read all” is not a right"),
    ("Post: delete account", "“delete” is no right"),
    ("Post: read account, read everyone", "The right to read “Post” is given twice."),
    ("Post: read account; Post: write account", "The rights of “Post” are given twice."),
    ("*: read account; *: read account", "The rights of “*” are given twice."),
    ("Post: create everyone", "who makes a record is an account"),
    ("Post: create creator", "who makes a record is an account"),
    ("Post: read nobody", "who made a record may read it"),
    ("Post: write everyone", "who changes a record has an account"),
    ("Post: read creator, write account", "must be able to read it"),
    ("*: read creator; Post: write account", "must be able to read it"),
  ])
  func `what means nothing is refused with a sentence`(text: String, sentence: String) throws {
    let error = #expect(throws: RecordsError.self) { try PublicRights(text) }
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  @Test func `more types than can be looked up are refused`() {
    let text = (0...256).map { "T\($0): read account" }.joined(separator: ";")
    let error = #expect(throws: RecordsError.self) { try PublicRights(text) }
    #expect(error?.code == .limitExceeded)
  }
}

@Suite("K5 the public database at a connection")
struct PublicConnectionTests {
  private let connection = ConnectionID(1)

  @Test
  func `there is no feed, no history and no trash of it, and the sentence says what there is`()
    throws
  {
    var world = SmallBroker()
    world.openLevel(connection)
    let record = RecordID(zone: .public, name: RecordName(stored: "p"))
    for message in [
      ClientMessage.history(record, below: nil), .trash(.public, below: nil),
    ] {
      let answers = world.messages(in: world.say(message, from: connection))
      guard case .error(let error)? = answers.first else {
        Issue.record("\(answers)")
        return
      }
      #expect(error.reason == "publicZone")
    }
    _ = world.say(.attach([ZonePosition(zone: .public, token: nil)]), from: connection)
    let attached = AttachedZone(
      position: ZonePosition(zone: .public, token: nil), stored: zone(owner: .public))
    let answers = world.messages(
      in: world.broker.handle(.stored([.attached(connection, [attached])])))
    guard case .reset(.public, let error)? = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(error.reason == "publicZone")
  }

  @Test func `what deleted accounts left is removed from the start on until nothing is left`() {
    var world = SmallBroker()
    func steps(_ event: BrokerEvent) -> Int {
      world.broker.handle(event).count {
        guard case .store(.removeLeft) = $0 else { return false }
        return true
      }
    }
    #expect(steps(.ticked(seconds: 1)) == 1)
    #expect(steps(.ticked(seconds: 2)) == 0, "one at a time")
    #expect(steps(.stored([.removedLeft(nil)])) == 0)
    #expect(steps(.ticked(seconds: 3)) == 1, "what failed is tried again")
    #expect(steps(.stored([.removedLeft(RemovedRecords(isMore: true))])) == 1)
    #expect(steps(.stored([.removedLeft(RemovedRecords())])) == 0)
    #expect(steps(.ticked(seconds: 4)) == 0)
  }
}
