// Files that the broker has lost, in its state machine.

import BrokerCore
import Records
import Testing

@Suite("I19 lost files in the broker")
struct BrokerLossesTests {
  let one = ConnectionID(1)
  let two = ConnectionID(2)
  let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 150_000)
  let gone = RecordsError(.assetNotAvailable, "Lost.", reason: "damaged")

  func broker() -> SmallBroker {
    var small = SmallBroker()
    small.openLive(one)
    small.openLive(two)
    return small
  }

  func reads(in actions: [BrokerAction]) -> [(ConnectionID, UInt64)] {
    actions.compactMap {
      guard case .read(.client(.wantedAssets, let context)) = $0 else { return nil }
      return (context.connection, context.replyTo)
    }
  }

  func fetch(_ small: inout SmallBroker, isNews: Bool = true) -> [BrokerAction] {
    let fetch = AssetFetch(zone: .standard, digest: photo.id, offset: 0)
    _ = small.say(.fetchAsset(fetch), from: one)
    return small.broker.handle(.assetDone(.lost(gone, isNews: isNews, fetch, context(one))))
  }

  func answer(_ message: BrokerMessage, _ connection: ConnectionID, replyTo: UInt64) -> BrokerEvent
  {
    .read(.client(message, .wantedAssets(after: nil), context(connection, replyTo: replyTo)))
  }

  @Test func `a device that requests a lost file learns of the loss, and of its end`() {
    var small = broker()
    let actions = fetch(&small)
    #expect(small.messages(in: actions) == [.error(gone)])
    let noted = actions.contains {
      if case .store(.recordAssets(lost: [photo.id], found: [])) = $0 { true } else { false }
    }
    #expect(noted)
    let again = fetch(&small, isNews: false)
    #expect(!again.contains { if case .store = $0 { true } else { false } })
    let id = UploadID(photo.id, of: identity)
    let kept = small.broker.handle(.stored([client(.assetRegistered(id, nil), two, replyTo: 7)]))
    let back = BrokerMessage.assetStanding(
      AssetStanding(digest: photo.id, isHeld: true, offset: 0))
    let notified = kept.compactMap { action -> ConnectionID? in
      guard case .send(let connection, let replyTo, back) = action, replyTo == 0 else { return nil }
      return connection
    }
    #expect(notified == [one])
    let second = small.broker.handle(.stored([client(.assetRegistered(id, nil), two, replyTo: 8)]))
    #expect(small.messages(in: second).count == 1, "the message is sent once")
  }

  @Test func `a device that watches for losses is notified at the next tick, others are not`()
    throws
  {
    var small = broker()
    let asked = small.say(.wantedAssets(after: nil), from: two)
    #expect(reads(in: asked).map(\.0) == [two])
    let page = BrokerMessage.wantedAssets([], isWhole: true)
    let answered = small.broker.handle(answer(page, two, replyTo: 1))
    #expect(small.messages(in: answered) == [page])
    _ = small.broker.handle(.stored([.recordedAssets(lost: 1, found: [])]))
    let ticked = reads(in: small.broker.handle(.ticked(seconds: 1)))
    #expect(ticked.map(\.0) == [two])
    #expect(ticked.map(\.1) == [0])
    let news = BrokerMessage.wantedAssets([photo], isWhole: true)
    let notified = small.broker.handle(answer(news, two, replyTo: 0))
    #expect(small.messages(in: notified) == [news])
    #expect(reads(in: small.broker.handle(.ticked(seconds: 2))).isEmpty)
    // Several losses in a short time lead to one notification.
    _ = small.broker.handle(.stored([.recordedAssets(lost: 1, found: [])]))
    #expect(reads(in: small.broker.handle(.ticked(seconds: 3))).isEmpty)
    #expect(reads(in: small.broker.handle(.ticked(seconds: 11))).count == 1)
    let nothing = small.broker.handle(answer(page, two, replyTo: 0))
    #expect(small.messages(in: nothing).isEmpty, "the account owns none of them")
  }

  @Test func `a connection requests lost files one at a time, and a closed one receives nothing`() {
    var small = broker()
    _ = small.say(.wantedAssets(after: nil), from: two)
    let hurried = small.broker.handle(
      .received(two, number: 2, .wantedAssets(after: nil), byteCount: 10))
    let errors = small.messages(in: hurried).compactMap { message -> RecordsError.Code? in
      guard case .error(let error) = message else { return nil }
      return error.code
    }
    #expect(errors == [.requestRateLimited])
    #expect(reads(in: hurried).isEmpty)
    _ = small.broker.handle(answer(.wantedAssets([], isWhole: true), two, replyTo: 1))
    _ = fetch(&small)
    _ = small.broker.handle(.closed(one))
    _ = small.broker.handle(.closed(two))
    let found = small.broker.handle(.stored([.recordedAssets(lost: 1, found: [photo.id])]))
    #expect(small.messages(in: found).isEmpty)
    #expect(reads(in: small.broker.handle(.ticked(seconds: 1))).isEmpty)
  }

  @Test func `the losses that a comparison finds are recorded`() {
    var small = broker()
    #expect(small.broker.handle(.assetDone(.compared(lost: [], found: []))).isEmpty)
    let actions = small.broker.handle(.assetDone(.compared(lost: [photo.id], found: [])))
    guard case .store(.recordAssets(lost: [photo.id], found: []))? = actions.first else {
      Issue.record("\(actions)")
      return
    }
  }
}
