import FoundationEssentials
import Records
import SwiftProtobuf
import Testing

@testable import RecordsWire

@Suite("C11 client frames")
struct ClientFrameTests {
  @Test(arguments: Samples.clientMessages)
  func `every message is decoded as it was sent`(message: ClientMessage) throws {
    let frame = ClientFrame(id: 300, message: message)
    #expect(try ClientFrame(payload: frame.payload) == frame)
    #expect(frame.framed == FramePrefix.bytes(length: frame.payload.count) + frame.payload)
  }

  @Test func `a stored request is sent unchanged`() throws {
    let encoded = Samples.request.encoded
    #expect(try ModifyRequest(encoded: encoded) == Samples.request)
    let whole = ClientFrame(id: 12, message: .modify(Samples.request))
    #expect(ClientFrame.framed(id: 12, encodedRequest: encoded) == whole.framed)
  }

  @Test func `the handwritten request encoder matches SwiftProtobuf`() throws {
    let byHand = ClientFrame(id: 12, message: .modify(Samples.request)).payload
    let read = try WireClientFrame(serializedBytes: byHand)
    #expect(read.unknownFields.data.isEmpty)
    #expect(read.modify.groups.count == Samples.request.groups.count)
    #expect(try read.serializedBytes() as [UInt8] == byHand)
  }

  @Test func `a request followed by an unknown field is decoded`() throws {
    // Field 99, which this version does not know, as a number.
    let later: [UInt8] = ClientFrame(id: 12, message: .modify(Samples.request)).payload
    #expect(
      try ClientFrame(payload: later + [0x98, 0x06, 0x01]).message == .modify(Samples.request))
    let tooMany = WireClientFrame.with { $0.modify.groups = many(401) }
    let refused = try refusal(of: tooMany.serializedBytes() + [0x98, 0x06, 0x01])
    #expect(refused.error.code == .limitExceeded)
  }

  @Test func `zero bytes and absent bytes name the requesting account and the standard zone`()
    throws
  {
    let zeros = WireZoneID.with {
      $0.owner = AccountID.current.wire
      $0.name = ZoneName.standard.wire
    }
    let frame = WireClientFrame.with { $0.detach.zones = [zeros, WireZoneID()] }
    let message = try ClientFrame(payload: frame.serializedBytes()).message
    #expect(message == .detach([.standard, .standard]))
  }

  @Test func `control characters in names are rejected`() throws {
    let named: [ClientMessage] = [
      .modify(
        ModifyRequest(
          number: RequestNumber(1), acknowledged: .zero,
          groups: [
            OperationGroup(
              zone: .public,
              operations: [
                .save(
                  Operation.Save(
                    name: RecordName(stored: "V\0"), type: RecordType(stored: "Post"), tag: nil,
                    fields: .empty, removed: []))
              ])
          ])),
      .modify(
        ModifyRequest(
          number: RequestNumber(1), acknowledged: .zero,
          groups: [OperationGroup(zone: .standard, operations: [.saveZone(title: "a\u{1B}b")])])),
      .fetch([RecordID(zone: .public, name: RecordName(stored: "V\0"))]),
      .deleteSubscription(SubscriptionID(stored: "a\0b")),
      .saveSubscription(
        SubscriptionForm(
          id: SubscriptionID(stored: "a\0b"), kind: .database(type: nil), options: [])),
      .account(.find(name: "ada\0")),
    ]
    for message in named {
      let refused = try refusal(of: ClientFrame(id: 9, message: message).payload)
      #expect(refused.id == 9 && refused.error.code == .invalidArguments)
    }
  }

  @Test func `an unknown message is rejected with its frame id`() throws {
    // id 5, then field 40 as an empty message.
    let refused = try refusal(of: [0x08, 0x05, 0xC2, 0x02, 0x00])
    #expect(refused.id == 5)
    #expect(refused.error.code == .incompatibleVersion)
  }

  @Test(arguments: [
    Breach("share request", { $0.share = WireShareOrder() }),
    Breach("account request", { $0.account = WireAccountOrder() }),
    Breach("permission", { $0.share.setPublicPermission.permission = .UNRECOGNIZED(300) }),
    Breach(
      "decision", { $0.share.answerRequest.account = Samples.account.wire }),
  ])
  func `an unknown kind of part is rejected with the frame id`(breach: Breach) throws {
    var frame = WireClientFrame()
    frame.id = 79
    breach.change(&frame)
    let refused = try refusal(of: frame.serializedBytes())
    #expect(refused.id == 79)
    #expect(refused.error.code == .incompatibleVersion)
  }

  @Test func `an unknown operation is rejected with its frame id`() throws {
    let frame = WireClientFrame.with {
      $0.id = 5
      $0.modify.number = 1
      $0.modify.groups = [.with { $0.operations = [WireOperation()] }]
    }
    let refused = try refusal(of: frame.serializedBytes())
    #expect(refused.id == 5)
    #expect(refused.error.code == .incompatibleVersion)
  }

  @Test(
    arguments: [
      Breach("account id", { $0.detach.zones = [.with { $0.owner = .init([1, 2, 3]) }] }),
      Breach("record name", { $0.fetch.records = [.with { $0.name = "_private" }] }),
      Breach("empty record name", { $0.fetch.records = [WireRecordID()] }),
      Breach("request number", { $0.acknowledge.through = 1 << 63 }),
      Breach("number zero", { $0.modify = WireModify() }),
      Breach("device key", { $0.hello.container = "contacts" }),
      Breach(
        "former device's key",
        {
          $0.hello = Samples.hello.wire
          $0.hello.formerDevice.device = Samples.device.wire
          $0.hello.formerDevice.deviceKey = .init(repeating: 1, count: 31)
        }),
      Breach(
        "former device's id",
        {
          $0.hello = Samples.hello.wire
          $0.hello.formerDevice.deviceKey = .init(repeating: 1, count: 32)
        }),
      Breach("link's secret", { $0.share.accept.secret = .init([1, 2, 3]) }),
      Breach("link's digest", { $0.share.create.zone = WireZoneID() }),
      Breach(
        "link without uses",
        {
          $0.share.renewLink.link.digest = .init(repeating: 1, count: 32)
          $0.share.renewLink.link.uses = 0
        }),
      Breach("invitation to nothing", { $0.share.invite.name = "bob" }),
      Breach(
        "participant who may nothing",
        { $0.share.setParticipant.account = Samples.account.wire }),
      Breach(
        "approval of nothing",
        {
          $0.share.answerRequest.account = Samples.account.wire
          $0.share.answerRequest.approve = .none
        }),
      Breach("removed id", { $0.share.removeParticipant.zone = WireZoneID() }),
      Breach("account looked up", { $0.account.look.accounts = [.init([1])] }),
      Breach("container", { $0.hello.deviceKey = .init(repeating: 1, count: 32) }),
      Breach(
        "removed key",
        {
          $0.modify.number = 1
          $0.modify.groups = [
            .with {
              $0.operations = [
                .with {
                  $0.save.name = "a"
                  $0.save.type = "T"
                  $0.save.removed = ["1"]
                }
              ]
            }
          ]
        }
      ),
      Breach(
        "policy",
        {
          $0.modify.number = 1
          $0.modify.groups = [
            .with {
              $0.operations = [
                .with {
                  $0.save.name = "a"
                  $0.save.type = "T"
                  $0.save.policy = .UNRECOGNIZED(256)
                }
              ]
            }
          ]
        }
      ),
    ] as [Breach])
  func `a violated rule is rejected with the frame id`(
    breach: Breach
  ) throws {
    var frame = WireClientFrame()
    frame.id = 77
    breach.change(&frame)
    let refused = try refusal(of: frame.serializedBytes())
    #expect(refused.id == 77)
    #expect(refused.error.code == .invalidArguments)
  }

  @Test(
    arguments: [
      Breach("operations", { $0.modify.groups = [.with { $0.operations = many(401) }] }),
      Breach("groups", { $0.modify.groups = many(401) }),
      Breach("fetch", { $0.fetch.records = many(401) }),
      Breach("attach", { $0.attach.zones = many(1025) }),
      Breach("detach", { $0.detach.zones = many(1025) }),
      Breach("hello", { $0.hello.zones = many(1025) }),
      Breach(
        "accounts",
        { $0.account.look.accounts = Array(repeating: Samples.account.wire, count: 101) }
      ),
      Breach(
        "display name", { $0.account.setDisplayName.name = String(repeating: "a", count: 256) }),
      Breach("bytes of a request", { $0.modify.groups = [oneSave(bytes: Limits.requestBytes)] }),
    ] as [Breach])
  func `a frame beyond a limit is rejected with its id`(
    breach: Breach
  ) throws {
    var frame = WireClientFrame()
    frame.id = 78
    breach.change(&frame)
    let refused = try refusal(of: frame.serializedBytes())
    #expect(refused.id == 78)
    #expect(refused.error.code == .limitExceeded)
  }

  private func refusal(of payload: [UInt8]) throws -> RefusedFrame {
    try #require(throws: RefusedFrame.self) { try ClientFrame(payload: payload) }
  }
}

/// A frame that breaks one rule, by what is done to an empty one.
struct Breach: Sendable, CustomStringConvertible {
  let description: String
  let change: @Sendable (inout WireClientFrame) -> Void

  init(_ description: String, _ change: @escaping @Sendable (inout WireClientFrame) -> Void) {
    self.description = description
    self.change = change
  }
}

private func many<Part: Message>(_ count: Int) -> [Part] {
  Array(repeating: Part(), count: count)
}

private func oneSave(bytes: Int) -> WireGroup {
  .with { $0.operations = [.with { $0.save.fields = .init(repeating: 0, count: bytes) }] }
}
