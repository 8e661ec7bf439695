// Every store: lost assets.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("I19, I21 record store: lost assets")
struct LostAssetContract {
  let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 1000)
  let other = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: 50)

  func note(
    lost: [Asset] = [], found: [Asset] = [], _ store: any RecordStore
  ) throws -> Int {
    try store.transact {
      try $0.recordAssets(lost: lost.map(\.id), found: found.map(\.id), at: time(9))
    }
  }

  func offer(_ asset: Asset, by client: StoreClient) throws -> String {
    try AssetContract().offer(asset, by: client)
  }

  func wanted(_ client: StoreClient, after digest: AssetDigest? = nil, most: Int = 9) throws
    -> [Asset]
  {
    try client.store.wantedAssets(of: client.identity, after: digest, countMaximum: most)
  }

  @Test(arguments: StoreKind.allCases)
  func `a lost asset is requested again, without charge, until it is uploaded`(kind: StoreKind)
    throws
  {
    var ada = try StoreClient(try kind.make())
    let store = ada.store
    try AssetContract().register(photo, by: ada)
    _ = try ada.modify([save("a", ["photo": .asset(photo)])])
    #expect(try wanted(ada).isEmpty)
    #expect(try note(lost: [photo, other], store) == 1, "nobody has the other")
    #expect(try note(lost: [photo], store) == 0)
    #expect(try store.isLost(photo.id))
    #expect(try offer(photo, by: ada) == "wanted, charged 0", "it is paid for")
    #expect(try wanted(ada) == [photo])
    #expect(try store.asset(photo.id, in: .standard, for: ada.identity) == photo, "it is named")
    #expect(
      try store.storedAssets(after: nil, countMaximum: 9) == [
        StoredAsset(asset: photo, isLost: true)
      ])
    try AssetContract().register(photo, by: ada)
    #expect(try !store.isLost(photo.id))
    #expect(try offer(photo, by: ada) == "held")
    #expect(try wanted(ada).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset that reappears need not be uploaded`(kind: StoreKind) throws {
    var ada = try StoreClient(try kind.make())
    try AssetContract().register(photo, by: ada)
    _ = try ada.modify([save("a", ["photo": .asset(photo)])])
    _ = try note(lost: [photo], ada.store)
    _ = try note(found: [photo], ada.store)
    #expect(try offer(photo, by: ada) == "held")
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is informed of its own lost assets in use, and of no other account's`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var ada = try StoreClient(store)
    var bob = try StoreClient(store, account: "bob", key: [2])
    let unnamed = Asset(digest: Array(repeating: 3, count: 32), sizeBytes: 7)
    for asset in [photo, other, unnamed] { try AssetContract().register(asset, by: ada) }
    try AssetContract().register(other, by: bob)
    _ = try ada.modify([save("a", ["p": .list([.asset(photo), .asset(other)])])])
    _ = try bob.modify([save("b", ["photo": .asset(other)])])
    #expect(try note(lost: [photo, other, unnamed], store) == 3)
    #expect(try wanted(ada) == [photo, other])
    #expect(try wanted(ada, most: 1) == [photo])
    #expect(try wanted(ada, after: photo.id) == [other])
    #expect(try wanted(bob) == [other])
    // An upload by one account restores the asset for all accounts.
    try AssetContract().register(other, by: bob)
    #expect(try wanted(ada) == [photo])
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset that is no longer in use is no longer listed as lost`(kind: StoreKind) throws {
    let ada = try StoreClient(try kind.make())
    try AssetContract().register(photo, by: ada)
    _ = try note(lost: [photo], ada.store)
    let day = AssetContract.grace
    #expect(
      try AssetContract().collect(ada.store, from: 0, to: day + 1200) == [photo.id])
    #expect(try !ada.store.isLost(photo.id))
    #expect(try ada.store.storedAssets(after: nil, countMaximum: 9).isEmpty)
  }
}
