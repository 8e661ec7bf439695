import Records
import SwiftProtobuf
import Testing

@testable import RecordsWire

@Suite("C11 broker frames")
struct BrokerFrameTests {
  @Test(arguments: Samples.brokerMessages)
  func `every message is decoded as it was sent`(message: BrokerMessage) throws {
    let frame = BrokerFrame(replyTo: 300, message: message)
    #expect(try BrokerFrame(payload: frame.payload) == frame)
    #expect(frame.framed == FramePrefix.bytes(length: frame.payload.count) + frame.payload)
  }

  @Test(arguments: RecordsError.Code.allCases)
  func `every error code has its name on the wire`(code: RecordsError.Code) throws {
    let message = BrokerMessage.error(RecordsError(code, "Why."))
    #expect(
      try BrokerFrame(payload: BrokerFrame(replyTo: 1, message: message).payload).message
        == message)
  }

  @Test func `a page with a name that contains control characters is rejected`() throws {
    let stamp = Stamp(
      time: Timestamp(microseconds: 1),
      origin: Origin(account: AccountID(3), device: DeviceID(9), request: RequestNumber(1)))
    let change = Change(
      name: RecordName(stored: "V\0"), tag: Revision(4), kind: .saved,
      type: RecordType(stored: "Post"), created: stamp, modified: stamp, record: .empty)
    let message = BrokerMessage.found(
      FoundPage(records: [FoundPage.Found(zone: .public, change: change)], cursor: nil))
    let payload = BrokerFrame(replyTo: 1, message: message).payload
    let refused = try #require(throws: RefusedFrame.self) { try BrokerFrame(payload: payload) }
    #expect(refused.error.code == .invalidArguments)
  }

  @Test func `an unknown error code becomes the reason`() {
    let plain = RecordsError(.with { $0.code = "frozen" })
    #expect(plain.code == .internalError)
    #expect(plain.reason == "frozen")
    let transient = RecordsError(
      .with {
        $0.code = "frozen"
        $0.retryAfterSeconds = 2
      })
    #expect(transient.code == .serviceUnavailable)
  }

  @Test func `an unknown kind of subscription is decoded with a failure`() throws {
    let states = try SubscriptionState.list([
      .with { $0.id = "old" },
      .with {
        $0.id = "later"
        $0.subscription = .with { $0.id = "later" }
      },
      Samples.subscriptionStates[1].wire,
    ])
    #expect(states.map(\.id.text) == ["old", "later", "é"])
    #expect(states.map { $0.failure?.code } == [nil, .incompatibleVersion, .limitExceeded])
    #expect(states[1].form == nil && states[2].form != nil)
  }

  @Test func `a stored outcome is sent unchanged`() throws {
    let encoded = Samples.outcome.encoded
    #expect(try ModifyOutcome(encoded: encoded) == Samples.outcome)
    let whole = BrokerFrame(replyTo: 12, message: .outcome(Samples.outcome))
    #expect(BrokerFrame.framed(replyTo: 12, encodedOutcome: encoded) == whole.framed)
  }

  @Test func `an outcome of many large conflicts fits into a frame and marks omitted records`()
    throws
  {
    let large = Samples.change(
      "a", tag: 1, fields: ["text": .bytes(Array(repeating: 7, count: 1_000_000))])
    let result = OperationResult.failed(
      RecordsError(.serverRecordChanged, "It changed."), serverRecord: large)
    let outcome = ModifyOutcome(
      number: RequestNumber(1), groups: [Array(repeating: result, count: 400)])
    #expect(outcome.encoded.count < Limits.frameBytes)
    let results = try ModifyOutcome(encoded: outcome.encoded).groups[0]
    #expect(results.prefix(3).allSatisfy { $0 == result })
    guard case .failed(let error, nil) = results[3] else {
      Issue.record("The fourth record should have been left out.")
      return
    }
    #expect(error.reason == ModifyOutcome.omittedReason)
  }

  @Test func `an answer too long for a frame becomes an error`() throws {
    let large = Samples.change(
      "a", tag: 1, fields: ["text": .bytes(Array(repeating: 7, count: 1_000_000))])
    let frame = BrokerFrame(replyTo: 4, message: .fetched(Array(repeating: large, count: 5)))
    let answer = try BrokerFrame(payload: frame.payload)
    guard case .error(let error) = answer.message else {
      Issue.record("The answer should be an error.")
      return
    }
    #expect(answer.replyTo == 4)
    #expect(error.code == .limitExceeded)
  }

  @Test func `the welcome contains the limits`() throws {
    let frame = BrokerFrame(replyTo: 1, message: Samples.brokerMessages[0])
    let limits = try WireBrokerFrame(serializedBytes: frame.payload).welcome.limits
    #expect(limits.frameBytes == 4 << 20)
    #expect(limits.operationsPerRequest == 400)
    #expect(limits.requestsInFlight == UInt32(Limits.requestsInFlight))
  }

  @Test(arguments: [[3, 2], [2, 2], [0, 1], [1, 9]])
  func `tags that do not ascend within the page are rejected`(tags: [UInt64]) throws {
    var frame = WireBrokerFrame()
    frame.changes = Samples.zoneChanges.wire
    frame.changes.from = 0
    frame.changes.to = 8
    frame.changes.changes = tags.map { tag in
      var change = Samples.change("a", tag: 1).wire
      change.tag = tag
      return change
    }
    let payload = try frame.serializedBytes() as [UInt8]
    #expect(throws: RefusedFrame.self) { try BrokerFrame(payload: payload) }
  }
}
