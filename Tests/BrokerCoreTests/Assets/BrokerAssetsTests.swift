// Uploads and downloads in the broker's state machine; the test takes the place of disk and store.

import BrokerCore
import Records
import Testing

@Suite("I18, I19 the broker and files")
struct BrokerAssetsTests {
  let one = ConnectionID(1)
  let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 150_000)

  func broker(accountBytes: Int = 1 << 30) -> SmallBroker {
    var small = SmallBroker(
      quotas: QuotaPolicy(assetBytes: 200_000, accountBytes: accountBytes))
    small.openLive(one)
    return small
  }

  func chunk(_ offset: Int, _ count: Int, of asset: Asset? = nil) -> AssetPiece {
    AssetPiece(
      digest: (asset ?? photo).id, offset: offset, content: Array(repeating: 0, count: count))
  }

  func errors(in actions: [BrokerAction], _ small: SmallBroker) -> [RecordsError] {
    small.messages(in: actions).compactMap {
      guard case .error(let error) = $0 else { return nil }
      return error
    }
  }

  func requests(in actions: [BrokerAction]) -> [AssetRequest] {
    actions.compactMap {
      guard case .asset(let request) = $0 else { return nil }
      return request
    }
  }

  /// Offers an asset that the store does not have, of which the disk has `offset` bytes.
  @discardableResult
  func begin(
    _ small: inout SmallBroker, _ asset: Asset, from connection: ConnectionID, offset: Int = 0,
    charged: Int = 0
  ) -> [BrokerAction] {
    _ = small.say(.offerAsset(asset), from: connection)
    let answered = small.broker.handle(
      .stored([
        client(.assetOffered(asset, .wanted(chargedBytes: charged)), connection)
      ]))
    guard !requests(in: answered).isEmpty else { return answered }
    return small.broker.handle(
      .assetDone(
        .opened(UploadID(asset.id, of: identity), offset: offset, context(connection))))
  }

  @Test func `an offer is answered with the offset to continue from`() {
    var small = broker()
    let actions = begin(&small, photo, from: one, offset: 64_000)
    #expect(
      small.messages(in: actions) == [
        .assetStanding(AssetStanding(digest: photo.id, isHeld: false, offset: 64_000))
      ])
    let sent = small.say(.assetPiece(chunk(64_000, 10)), from: one)
    #expect(requests(in: sent).count == 1)
  }

  @Test func `an asset that the account has is not uploaded again`() {
    var small = broker()
    _ = small.say(.offerAsset(photo), from: one)
    let actions = small.broker.handle(.stored([client(.assetOffered(photo, .held), one)]))
    #expect(
      small.messages(in: actions) == [
        .assetStanding(AssetStanding(digest: photo.id, isHeld: true, offset: 0))
      ])
    #expect(requests(in: actions).isEmpty)
  }

  @Test(arguments: [(0, "wrongOffset"), (70_000, "wrongOffset")])
  func `a chunk with a wrong offset is refused and the upload continues`(
    offset: Int, reason: String
  ) {
    var small = broker()
    begin(&small, photo, from: one, offset: 64_000)
    let refused = small.say(.assetPiece(chunk(offset, 10)), from: one)
    #expect(errors(in: refused, small).map(\.reason) == [reason])
    #expect(requests(in: refused).isEmpty)
    #expect(requests(in: small.say(.assetPiece(chunk(64_000, 10)), from: one)).count == 1)
  }

  @Test func `a chunk beyond the end of the file is refused`() {
    var small = broker()
    begin(&small, photo, from: one, offset: 149_995)
    let refused = small.say(.assetPiece(chunk(149_995, 6)), from: one)
    #expect(errors(in: refused, small).map(\.reason) == ["wrongOffset"])
  }

  @Test func `a chunk without an offer is refused`() {
    var small = broker()
    let refused = small.say(.assetPiece(chunk(0, 10)), from: one)
    #expect(errors(in: refused, small).map(\.reason) == ["notOffered"])
  }

  @Test func `empty and oversized files are refused without access to the disk`() {
    var small = broker()
    for (size, code) in [(0, RecordsError.Code.invalidArguments), (200_001, .limitExceeded)] {
      let actions = small.say(
        .offerAsset(Asset(digest: photo.digest, sizeBytes: UInt64(size))), from: one)
      #expect(errors(in: actions, small).map(\.code) == [code])
      #expect(actions.count == 1)
    }
  }

  @Test func `the concurrent uploads of an account are limited across its connections`() {
    var small = broker()
    for number in 1...5 {
      let connection = ConnectionID(number)
      if number > 1 { small.openLive(connection) }
      for index in 0..<Limits.assetUploadsPerSession {
        let digest = Array(repeating: UInt8(number * 10 + index), count: 32)
        let refused = begin(&small, Asset(digest: digest, sizeBytes: 10), from: connection)
        #expect(
          errors(in: refused, small).map(\.code) == (number < 5 ? [] : [.requestRateLimited]))
      }
    }
    #expect(
      errors(
        in: begin(
          &small,
          Asset(
            digest: Array(repeating: 10, count: 32), sizeBytes: 10), from: one), small
      ).isEmpty)
  }

  @Test func `the quota counts stored, uploading and offered assets`() {
    var small = broker(accountBytes: 310_000)
    begin(&small, photo, from: one)
    let other = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: 100_000)
    let refused = begin(&small, other, from: one, charged: 60_001)
    #expect(errors(in: refused, small).map(\.code) == [.quotaExceeded])
    #expect(errors(in: begin(&small, other, from: one, charged: 60_000), small).isEmpty)
  }

  @Test func `the concurrent uploads of a connection are limited`() {
    var small = broker()
    for index in 0..<Limits.assetUploadsPerSession {
      let asset = Asset(digest: Array(repeating: UInt8(index), count: 32), sizeBytes: 100)
      #expect(errors(in: begin(&small, asset, from: one), small).isEmpty)
    }
    let more = small.say(
      .offerAsset(Asset(digest: Array(repeating: 99, count: 32), sizeBytes: 1)), from: one)
    #expect(errors(in: more, small).map(\.code) == [.requestRateLimited])
  }

  @Test func `the concurrent downloads of a connection are limited`() {
    var small = broker()
    let fetch = AssetFetch(zone: .standard, digest: photo.id, offset: 0)
    for number in 1...UInt64(Limits.assetFetchesInFlight) {
      #expect(requests(in: small.say(.fetchAsset(fetch), from: one, number: number)).count == 1)
    }
    let more = small.say(.fetchAsset(fetch), from: one, number: 100)
    #expect(errors(in: more, small).map(\.code) == [.requestRateLimited])
    _ = small.broker.handle(.assetDone(.read(chunk(0, 5), fetch, context(one))))
    #expect(requests(in: small.say(.fetchAsset(fetch), from: one)).count == 1)
  }

  @Test
  func `I11: a request under a number in use is refused, and the first one continues`() {
    var small = broker()
    let fetch = AssetFetch(zone: .standard, digest: photo.id, offset: 0)
    #expect(requests(in: small.say(.fetchAsset(fetch), from: one)).count == 1)
    let second = small.say(.fetchAsset(fetch), from: one)
    #expect(errors(in: second, small).map(\.reason) == ["numberInUse"])
    // A message without an answer may have any number.
    let acknowledged = small.say(.acknowledge(RequestNumber(1)), from: one)
    #expect(errors(in: acknowledged, small).isEmpty)
    #expect(
      acknowledged.contains {
        if case .store(.client(.acknowledge, _)) = $0 { true } else { false }
      })
    _ = small.broker.handle(.assetDone(.read(chunk(0, 5), fetch, context(one))))
    #expect(requests(in: small.say(.fetchAsset(fetch), from: one)).count == 1)
  }

  @Test func `a complete file is recorded before it becomes collectable`() {
    var small = broker()
    begin(&small, photo, from: one)
    let id = UploadID(photo.id, of: identity)
    let completed = small.broker.handle(
      .assetDone(.completed(id, photo, context(one, replyTo: 7))))
    guard
      case .store(.client(.registerAsset(photo, _), context(one, replyTo: 7)))? = completed.first
    else {
      Issue.record("\(completed)")
      return
    }
    let kept = small.broker.handle(.stored([client(.assetRegistered(id, nil), one, replyTo: 7)]))
    guard case .asset(.settle(photo.id))? = kept.first else {
      Issue.record("\(kept)")
      return
    }
    #expect(
      small.messages(in: kept) == [
        .assetStanding(AssetStanding(digest: photo.id, isHeld: true, offset: 0))
      ])
  }

  @Test func `a file that completes after its connection closed is recorded`() {
    var small = broker()
    begin(&small, photo, from: one)
    let closed = small.broker.handle(.closed(one))
    guard case .asset(.close)? = closed.first else {
      Issue.record("\(closed)")
      return
    }
    let id = UploadID(photo.id, of: identity)
    let completed = small.broker.handle(
      .assetDone(.completed(id, photo, context(one, replyTo: 7))))
    guard case .store(.client(.registerAsset, _))? = completed.first else {
      Issue.record("\(completed)")
      return
    }
    #expect(
      small.messages(
        in: small.broker.handle(.stored([client(.assetRegistered(id, nil), one, replyTo: 7)]))
      )
      .isEmpty)
  }

  @Test func `the connection that offers last continues the upload`() {
    var small = broker()
    begin(&small, photo, from: one)
    let two = ConnectionID(2)
    small.openLive(two)
    begin(&small, photo, from: two, offset: 10)
    let stale = small.say(.assetPiece(chunk(0, 5)), from: one)
    #expect(errors(in: stale, small).map(\.reason) == ["notOffered"])
    #expect(requests(in: small.say(.assetPiece(chunk(10, 5)), from: two)).count == 1)
    let closed = small.broker.handle(.closed(one))
    #expect(requests(in: closed).isEmpty, "the other connection's upload continues")
  }
}
