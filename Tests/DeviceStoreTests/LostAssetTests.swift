import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("I19 files that the broker has lost")
struct LostAssetTests {
  let room = Room()

  func photo(_ seed: UInt8) -> (asset: Asset, content: [UInt8]) {
    AssetTests().photo(seed, byteCount: 1000)
  }

  func set(
    _ photo: (asset: Asset, content: [UInt8]), of name: String, on device: TestDevice
  ) throws {
    device.files[photo.asset.id] = photo.content
    try device.edit([
      .keepAsset(photo.asset),
      .save(TestDevice.contact(name, ["photo": .asset(photo.asset)])),
    ])
  }

  @Test func `a device sends again what the broker has lost, page by page`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photos = (1...5 as ClosedRange<UInt8>).map { photo($0) }
    for (index, photo) in photos.enumerated() { try set(photo, of: "c\(index)", on: laptop) }
    try laptop.goOffline()
    room.broker.assets.lose(photos.map(\.asset))
    room.broker.assets.lostPerPage = 2
    // A row of another account's file, which the device has not: it is passed over.
    room.broker.assets.lose([photo(9).asset])
    try laptop.goOnline()
    for photo in photos { #expect(room.broker.assets.files[photo.asset.id] == photo.content) }
    #expect(room.broker.assets.lost == [photo(9).asset])
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `a loss that the broker reports later is repaired on the same connection`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    room.broker.assets.lose([photo.asset])
    try laptop.hear(.wantedAssets([photo.asset], isWhole: true))
    #expect(room.broker.assets.files[photo.asset.id] == photo.content)
  }

  @Test func `a file that nothing here names is not told of`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    laptop.files[photo.asset.id] = photo.content
    try laptop.edit([.keepAsset(photo.asset)])
    let offers = room.broker.assets.offers
    room.broker.assets.lose([photo.asset])
    try laptop.hear(.wantedAssets([photo.asset], isWhole: true))
    #expect(room.broker.assets.offers == offers)
  }

  @Test func `who wants a lost file has it when it is back, and does not ask meanwhile`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    try laptop.goOffline()
    room.broker.assets.lose([photo.asset])
    let phone = try TestDevice(room, "phone")
    #expect(try phone.reader.wantedAssets() == 1)
    #expect(room.broker.assets.fetches.count == 1)
    #expect(phone.lost == [photo.asset.id], "the device reports the lost file")
    try phone.save("bob", ["firstName": .string("Bob")])
    #expect(room.broker.assets.fetches.count == 1)
    try laptop.goOnline()
    try phone.hear(
      .assetStanding(AssetStanding(digest: photo.asset.id, isHeld: true, offset: 0)))
    #expect(phone.files[photo.asset.id] == photo.content)
    #expect(try phone.reader.wantedAssets() == 0)
  }

  @Test func `a broker that rejects the question is not asked twice`() throws {
    room.broker.assets.lossesRefusal = RecordsError(.serviceUnavailable, "Later.")
    let laptop = try TestDevice(room, "laptop")
    try set(photo(1), of: "ada", on: laptop)
    try laptop.save("bob", ["firstName": .string("Bob")])
    #expect(room.broker.assets.questions == 1)
    #expect(try room.broker.fields("bob") != nil)
  }
}
