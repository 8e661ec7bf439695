// Rights in the public database: parsing and decisions.

import Records
import Testing

@testable import BrokerCore

@Suite("K5, T1 rights in the public database")
struct PublicRightsTests {
  private let post = RecordType(stored: "Post")

  @Test func `by default accounts read and create, and only the creator changes`() throws {
    let rights = try PublicRights("")
    #expect(rights == PublicRights())
    #expect(rights.allowsCreating(post) && rights.isReadByAll(post))
    #expect(rights.allowsReading(post, of: ada, by: bob))
    #expect(rights.allowsWriting(post, of: ada, by: ada))
    #expect(!rights.allowsWriting(post, of: ada, by: bob))
  }

  @Test func `a type has its own rights, all others have those of the star, in any order`()
    throws
  {
    let rights = try PublicRights(
      " Post : write account ;Diary: read creator; *: create nobody, write nobody ; ")
    #expect(rights.rule(for: post) == .init(create: .nobody, read: .everyone, write: .account))
    let diary = RecordType(stored: "Diary")
    #expect(rights.rule(for: diary) == .init(create: .nobody, read: .creator, write: .nobody))
    #expect(rights.defaultRule == .init(create: .nobody, read: .everyone, write: .nobody))
    #expect(!rights.allowsReading(diary, of: ada, by: bob))
    #expect(rights.allowsReading(diary, of: ada, by: ada))
    #expect(rights.allowsWriting(post, of: ada, by: bob))
    #expect(!rights.allowsWriting(diary, of: ada, by: ada))
  }

  @Test func `a save without a record to replace is a creation, and any other is a change`() throws
  {
    let name = RecordName(stored: "p")
    let live = change("p", tag: 1)
    let contact = live.type
    let closed = try PublicRights("*: create nobody, write account")
    #expect(closed.refusal(toSave: name, contact, over: nil, by: ada)?.reason == "publicCreate")
    #expect(closed.refusal(toSave: name, contact, over: live, by: bob) == nil)
    let open = try PublicRights("*: create account, write creator")
    #expect(open.refusal(toSave: name, contact, over: nil, by: bob) == nil)
    #expect(open.refusal(toSave: name, contact, over: live, by: ada) == nil)
    #expect(open.refusal(toSave: name, contact, over: live, by: bob)?.reason == "publicWrite")
    #expect(open.refusal(toChange: live, by: bob)?.hint.isEmpty == true)
    #expect(open.refusal(toChange: nil, by: bob) == nil)
  }

  @Test(arguments: [
    ("Post", "“Post” is not of the form TYPE: PERMISSIONS."),
    ("1Post: read account", "record type"),
    ("Post: read", "“read” is not a permission"),
    ("Post: read all", "“read all” is not a permission"),
    ("Post: delete account", "“delete” is not a permission"),
    ("Post: read account, read everyone", "“read” appears twice for “Post”."),
    ("Post: read account; Post: write account", "“Post” appears twice."),
    ("*: read account; *: read account", "“*” appears twice."),
    ("Post: create everyone", "only accounts can create"),
    ("Post: create creator", "only accounts can create"),
    ("Post: read nobody", "a record's creator can always read it"),
    ("Post: write everyone", "only accounts change records"),
    ("Post: read creator, write account", "must be able to read them"),
    ("*: read creator; Post: write account", "must be able to read them"),
  ])
  func `a right without effect is refused and explained`(text: String, sentence: String) throws {
    let error = #expect(throws: RecordsError.self) { try PublicRights(text) }
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  @Test func `rules for too many types are refused`() {
    let text = (0...256).map { "T\($0): read account" }.joined(separator: ";")
    let error = #expect(throws: RecordsError.self) { try PublicRights(text) }
    #expect(error?.code == .limitExceeded)
  }
}

@Suite("K5 the public database on a connection")
struct PublicConnectionTests {
  private let connection = ConnectionID(1)

  @Test
  func `the public database has no feed, history or trash, and the error says so`()
    throws
  {
    var world = SmallBroker()
    world.openLive(connection)
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
      in: world.broker.handle(.stored([client(.attached(.success([attached])), connection)])))
    guard case .reset(.public, let error)? = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(error.reason == "publicZone")
  }
}
