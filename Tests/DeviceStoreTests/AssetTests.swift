import Contacts
import DeviceRoom
import Records
import SyncCore
import TestTiers
import Testing

@testable import AddressBook
@testable import DeviceStore

@Suite("I19 files on a device")
struct AssetTests {
  let room = Room()

  /// A file's content and what a record names it by; the mini broker believes any digest.
  func photo(_ seed: UInt8, byteCount: Int = 200_000) -> (asset: Asset, content: [UInt8]) {
    let asset = Asset(digest: Array(repeating: seed, count: 32), sizeBytes: UInt64(byteCount))
    return (asset, Array(repeating: seed, count: byteCount))
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

  @Test func `a photo set on one device is downloaded to the other before it is requested`() throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    #expect(room.broker.assets.files[photo.asset.id] == photo.content)
    #expect(room.broker.assets.pieces == 4)
    #expect(try phone.fields("ada")?["photo"] == .asset(photo.asset))
    #expect(phone.files[photo.asset.id] == photo.content)
    #expect(try phone.reader.isHere(photo.asset))
    #expect(try phone.reader.wantedAssets() == 0)
  }

  @Test func `who has sent many photos on a connection still fetches those of others`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    for seed in 1...40 {
      try set(photo(UInt8(seed), byteCount: 70_000), of: "r\(seed)", on: laptop)
    }
    let photo = photo(99)
    try set(photo, of: "ada", on: phone)
    #expect(laptop.files[photo.asset.id] == photo.content)
    #expect(try laptop.reader.wantedAssets() == 0)
  }

  @Test func `the file goes before its record, and other edits do not wait for it`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Busy.", retryAfterSeconds: 1)
    try set(photo(1), of: "ada", on: laptop)
    try laptop.save("bob", ["firstName": .string("Bob")])
    #expect(try room.broker.fields("ada") == nil)
    #expect(try room.broker.fields("bob") != nil)
    #expect(laptop.timers[.transfers] != nil)
    room.broker.assets.refusal = nil
    try laptop.perform(laptop.replica.fired(.transfers, now: Room.now))
    #expect(try room.broker.fields("ada") != nil)
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `a record that points at one that waits for its file waits too`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Busy.", retryAfterSeconds: 1)
    try set(photo(1), of: "post", on: laptop)
    let reference = Reference(record: RecordName(stored: "post"), action: .deleteSelf)
    try laptop.save("comment", ["post": .reference(reference)])
    #expect(try room.broker.fields("comment") == nil)
    room.broker.assets.refusal = nil
    try laptop.perform(laptop.replica.fired(.transfers, now: Room.now))
    #expect(try room.broker.fields("post") != nil)
    #expect(try room.broker.fields("comment") != nil)
  }

  @Test func `what the broker has is not sent again`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    let sent = room.broker.assets.pieces
    try set(photo, of: "bob", on: laptop)
    #expect(room.broker.assets.pieces == sent)
    #expect(try room.broker.fields("bob")?["photo"] == .asset(photo.asset))
  }

  @Test func `offline the photo is kept and sent later`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    #expect(try laptop.fields("ada")?["photo"] == .asset(photo.asset))
    try laptop.restart()
    try laptop.goOnline()
    #expect(room.broker.assets.files[photo.asset.id] == photo.content)
    #expect(try room.broker.fields("ada") != nil)
  }

  @Test func `a record may not name a file that is not here`() throws {
    let laptop = try TestDevice(room, "laptop")
    let error = #expect(throws: RecordsError.self) {
      try laptop.save("ada", ["photo": .asset(self.photo(1).asset)])
    }
    #expect(error?.code == .assetNotAvailable)
    #expect(try laptop.fields("ada") == nil)
  }

  @Test func `a file larger than the broker takes is refused at once`() throws {
    let laptop = try TestDevice(room, "laptop")
    let asset = Asset(
      digest: Array(repeating: 1, count: 32), sizeBytes: UInt64(Limits.assetBytes) + 1)
    let error = #expect(throws: RecordsError.self) { try laptop.edit([.keepAsset(asset)]) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `a file the broker will not take parks what names it, and nothing else waits`() throws
  {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("ada", ["firstName": .string("Ada")])
    room.broker.assets.refusal = RecordsError(.quotaExceeded, "The account is full.")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    let rejected = try laptop.reader.rejectedEdits()
    #expect(rejected.map(\.code) == [.quotaExceeded])
    #expect(rejected.first?.changes.set["photo"] == .asset(photo.asset))
    #expect(try laptop.fields("ada") == ["firstName": .string("Ada")])
    #expect(try laptop.reader.status().waitingEntries == 0)
    #expect(try laptop.reader.status().ledger.isBalanced)
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty, "its author may want it back")
  }

  @Test func `a disk or a broker in trouble puts a photo off and refuses nothing`() throws {
    let laptop = try TestDevice(room, "laptop")
    laptop.readFailure = RecordsError(.internalError, "Too many open files.")
    try set(photo(1), of: "ada", on: laptop)
    #expect(laptop.timers[.transfers] != nil)
    laptop.readFailure = nil
    room.broker.assets.refusal = RecordsError(.internalError, "The broker's disk failed.")
    try laptop.fire(.transfers)
    #expect(try laptop.reader.rejectedEdits().isEmpty)
    room.broker.assets.refusal = nil
    try laptop.fire(.transfers)
    #expect(try room.broker.fields("ada")?["photo"] == .asset(photo(1).asset))
    #expect(try laptop.reader.rejectedEdits().isEmpty)
  }

  @Test func `a photo that is not here any more or cut short is refused`() throws {
    let laptop = try TestDevice(room, "laptop")
    laptop.readFailure = RecordsError(.assetNotAvailable, "It is shorter than it was.")
    try set(photo(1), of: "ada", on: laptop)
    #expect(try laptop.reader.rejectedEdits().map(\.code) == [.assetNotAvailable])
  }

  @Test func `a wanted photo is not given up because the broker failed`() throws {
    let laptop = try TestDevice(room, "laptop")
    try set(photo(1), of: "ada", on: laptop)
    let digest = photo(1).asset.id
    room.broker.assets.fetchRefusals = [digest: RecordsError(.internalError, "It failed.")]
    let phone = try TestDevice(room, "phone")
    #expect(phone.lost.isEmpty)
    #expect(try phone.reader.wantedAssets() == 1)
    room.broker.assets.fetchRefusals = [:]
    try phone.fire(.transfers)
    #expect(phone.files[digest] == photo(1).content)
  }

  @Test func `photos that cannot be had now stand in no other's way`() throws {
    let laptop = try TestDevice(room, "laptop")
    for seed in 1...40 as ClosedRange<UInt8> {
      try set(photo(seed, byteCount: 1000), of: "c\(seed)", on: laptop)
    }
    let busy = RecordsError(.serviceUnavailable, "Not now.")
    for seed in 1...39 as ClosedRange<UInt8> {
      room.broker.assets.fetchRefusals[photo(seed).asset.id] = busy
    }
    let phone = try TestDevice(room, "phone")
    #expect(try phone.reader.isHere(photo(40).asset))
    #expect(room.broker.assets.fetches.count == 40)
    room.broker.assets.fetchRefusals = [:]
    try phone.fire(.transfers)
    #expect(try phone.reader.wantedAssets() == 0)
  }

  @Test func `where everything fails not everything is tried at once`() throws {
    let laptop = try TestDevice(room, "laptop")
    for seed in 1...200 as ClosedRange<UInt8> {
      try set(photo(seed, byteCount: 1000), of: "c\(seed)", on: laptop)
      room.broker.assets.fetchRefusals[photo(seed).asset.id] = RecordsError(
        .serviceUnavailable, "Not now.")
    }
    let phone = try TestDevice(room, "phone")
    #expect(room.broker.assets.fetches.count <= 72)
    room.broker.assets.fetchRefusals = [:]
    try phone.fire(.transfers)
    #expect(try phone.reader.wantedAssets() == 0)
  }

  @Test(.onlyInCheck)
  func `thousands of photos that wait keep nothing behind them from being sent`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    let photo = photo(1, byteCount: 1000)
    laptop.files[photo.asset.id] = photo.content
    let count = DeviceLimits.entriesPerPass + 100
    let saves = (0..<count).map { number in
      LocalEdit.save(TestDevice.contact("c\(number)", ["photo": .asset(photo.asset)]))
    }
    try laptop.edit([.keepAsset(photo.asset)] + saves, isAsked: false)
    try laptop.save("bob", ["firstName": .string("Bob")])
    room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Busy.")
    try laptop.goOnline()
    while laptop.timers[.outbox] != nil { try laptop.fire(.outbox) }
    #expect(try room.broker.fields("bob") != nil)
    #expect(room.broker.requests.count == 1)
    room.broker.assets.refusal = nil
    try laptop.restart()
    #expect(try room.broker.fields("c\(count - 1)") != nil)
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `an edit that no longer needs the file waits for it no longer`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Busy.")
    try set(photo(1), of: "ada", on: laptop)
    try set(photo(2), of: "bo", on: laptop)
    #expect(try room.broker.fields("ada") == nil)
    let id = RecordID(zone: .standard, name: RecordName(stored: "ada"))
    try laptop.edit([
      .save(
        LocalEdit.RecordSave(
          id: id, type: ContactRecord.type,
          changes: FieldChanges(set: ["firstName": .string("Ada")], removed: ["photo"])))
    ])
    #expect(try room.broker.fields("ada") == ["firstName": .string("Ada")])
    #expect(try room.broker.fields("bo") == nil)
  }

  @Test func `a photo nobody has any more does not take the rest of the contact with it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let photo = photo(1, byteCount: AddressBook.eagerPhotoBytes + 1)
    try set(photo, of: "ada", on: laptop)
    try phone.goOffline()
    try phone.save("ada", ["firstName": .string("Ada")])
    try laptop.delete("ada")
    try laptop.perform(laptop.replica.emptyTrash(now: Room.now).actions)
    room.broker.assets.files = [:]
    try phone.goOnline()
    #expect(try phone.reader.rejectedEdits().isEmpty)
    #expect(try room.broker.fields("ada") == ["firstName": .string("Ada")])
    #expect(try phone.fields("ada") == ["firstName": .string("Ada")])
    #expect(try phone.reader.status().waitingEntries == 0)
    #expect(try phone.reader.status().ledger.isBalanced)
  }

  @Test func `the loss of a photo before it was sent is reported`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    try set(photo(1), of: "ada", on: laptop)
    laptop.files = [:]
    try laptop.perform(laptop.replica.lost(photo(1).asset, now: Room.now))
    try laptop.goOnline()
    #expect(try laptop.reader.rejectedEdits().map(\.code) == [.assetNotAvailable])
  }

  @Test func `a large photo is downloaded only when it is requested`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let photo = photo(1, byteCount: AddressBook.eagerPhotoBytes + 1)
    try set(photo, of: "ada", on: laptop)
    #expect(try !phone.reader.isHere(photo.asset))
    try phone.perform(phone.replica.want(photo.asset, in: .standard, now: Room.now))
    #expect(phone.files[photo.asset.id] == photo.content)
    #expect(try phone.reader.isHere(photo.asset))
  }

  @Test func `a file the broker does not have is no longer waited for`() throws {
    let phone = try TestDevice(room, "phone")
    let photo = photo(1)
    try phone.perform(phone.replica.want(photo.asset, in: .standard, now: Room.now))
    #expect(phone.lost == [photo.asset.id])
    #expect(try phone.reader.wantedAssets() == 0)
  }

  @Test func `a file that is lost here is fetched again`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    laptop.files[photo.asset.id] = nil
    try laptop.perform(laptop.replica.lost(photo.asset, now: Room.now))
    try laptop.perform(laptop.replica.want(photo.asset, in: .standard, now: Room.now))
    #expect(laptop.files[photo.asset.id] == photo.content)
  }

  @Test func `emptying the trash deletes its photos at once, except those of visible contacts`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let (photo, shared) = (photo(1), photo(2))
    try set(photo, of: "ada", on: laptop)
    try set(shared, of: "bo", on: laptop)
    try set(shared, of: "cy", on: laptop)
    try laptop.delete("ada")
    try laptop.delete("bo")
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty)
    let (erased, actions) = try laptop.replica.emptyTrash(now: Room.now)
    try laptop.perform(actions)
    #expect(erased == 2)
    #expect(try laptop.replica.collectAssets(now: Room.now) == [photo.asset.id])
    #expect(try laptop.reader.isHere(shared.asset))
    try laptop.delete("cy")
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty, "it may be undone")
  }

  @Test func `a photo shown again after its trash was emptied has its grace again`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try set(photo(1), of: "ada", on: laptop)
    try laptop.goOffline()
    try laptop.delete("ada")
    try laptop.perform(laptop.replica.emptyTrash(now: Room.now).actions)
    // Deleted here, edited there: the edit stays.
    try phone.save("ada", ["firstName": .string("Ada")])
    try laptop.goOnline()
    #expect(try laptop.fields("ada")?["photo"] == .asset(photo(1).asset))
    try set(photo(2), of: "ada", on: laptop)
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty, "it may be undone")
  }

  @Test func `a reading that erases many contacts with photos looks for others' use once`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    for seed in 1...9 as ClosedRange<UInt8> {
      try set(photo(seed, byteCount: 1000), of: "c\(seed)", on: laptop)
      try laptop.save("c\(seed)", ["firstName": .string("Amy")])
    }
    try phone.goOffline()
    for seed in 1...9 { try laptop.delete("c\(seed)") }
    room.broker.reapTombstones()
    let walks = try phone.count(of: "SELECT fields FROM past WHERE fields IS NOT NULL\nUNION") {
      try phone.goOnline()
    }
    #expect(walks == 1)
    #expect(try phone.fields("c1") == nil)
    #expect(try phone.replica.collectAssets(now: Room.now).count == 9)
  }

  /// An emptied trash took what another record's past, and so its undo, still named.
  @Test func `an emptied trash leaves the photo that an undo of another contact brings back`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let (shared, other) = (photo(1), photo(2))
    try set(shared, of: "ada", on: laptop)
    try set(shared, of: "bo", on: laptop)
    try set(other, of: "bo", on: laptop)
    try laptop.delete("ada")
    try laptop.perform(laptop.replica.emptyTrash(now: Room.now).actions)
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty)
    #expect(try laptop.reader.isHere(shared.asset))
    // The newest is the deletion; before it was the other photo of bo.
    let change = try #require(try laptop.reader.actions(limit: 2).last)
    try laptop.perform(laptop.replica.undo(action: change.id, now: Room.now).actions)
    #expect(try laptop.fields("bo")?["photo"] == .asset(shared.asset))
  }

  @Test func `an emptied trash leaves the photo that another group's trash names`() throws {
    let laptop = try TestDevice(room, "laptop")
    let shared = photo(1)
    let zone = ZoneID(name: ZoneName(9))
    try laptop.edit([.createZone(zone, title: "Club")])
    try set(shared, of: "ada", on: laptop)
    try laptop.save("bo", ["photo": .asset(shared.asset)], in: zone)
    try laptop.delete("ada")
    try laptop.delete("bo", in: zone)
    try laptop.perform(laptop.replica.emptyTrash(of: .standard, now: Room.now).actions)
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty)
    try laptop.perform(laptop.replica.emptyTrash(of: zone, now: Room.now).actions)
    #expect(try laptop.replica.collectAssets(now: Room.now) == [shared.asset.id])
  }

  /// Found by simulation (92): a restore was refused where the photo had not been fetched before
  /// its contact was deleted elsewhere, though the broker still had it.
  @Test func `a contact comes back with a photo that was never on this device`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    let photo = photo(1, byteCount: AddressBook.eagerPhotoBytes + 1)
    try set(photo, of: "ada", on: laptop)
    try laptop.delete("ada")
    let sent = room.broker.assets.pieces
    try phone.perform(
      phone.replica.restore([RecordName(stored: "ada")], now: Room.now).actions)
    for device in [laptop, phone] {
      #expect(try device.fields("ada")?["photo"] == .asset(photo.asset))
      #expect(try device.reader.status().waitingEntries == 0)
      #expect(try device.reader.rejectedEdits().isEmpty)
    }
    #expect(room.broker.assets.pieces == sent)
    try phone.perform(phone.replica.want(photo.asset, in: .standard, now: Room.now))
    #expect(phone.files[photo.asset.id] == photo.content)
  }

  @Test func `a change of a photo that was never on this device can be undone`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    let before = photo(1, byteCount: AddressBook.eagerPhotoBytes + 1)
    try set(before, of: "ada", on: laptop)
    try set(photo(2), of: "ada", on: phone)
    try phone.perform(phone.replica.undo(action: nil, now: Room.now).actions)
    for device in [laptop, phone] {
      #expect(try device.fields("ada")?["photo"] == .asset(before.asset))
    }
    #expect(try phone.reader.rejectedEdits().isEmpty)
  }

  /// Found by simulation (seed 50035): the broker gave the photo out to nobody who asked for it in the
  /// group that was gone, or in the one that had it not yet.
  @Test func `a photo that was asked for before its group came back is asked for again`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    let photo = photo(1)
    let zone = ZoneID(name: ZoneName(9))
    let refusal = RecordsError(.assetNotAvailable, "It is not here.")
    room.broker.assets.fetchRefusals[photo.asset.id] = refusal
    try laptop.edit([.createZone(zone, title: "Club")])
    laptop.files[photo.asset.id] = photo.content
    try laptop.edit([
      .keepAsset(photo.asset),
      .save(TestDevice.contact("bo", ["photo": .asset(photo.asset)], in: zone)),
    ])
    try phone.edit([.deleteZone(zone)])
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    try phone.perform(phone.replica.undo(action: nil, now: Room.now).actions)
    #expect(phone.files[photo.asset.id] == nil)
    room.broker.assets.fetchRefusals = [:]
    try phone.fire(.resend)
    #expect(try phone.reader.status().waitingEntries == 0)
    #expect(phone.files[photo.asset.id] == photo.content)
  }

  @Test func `a trash that is emptied elsewhere takes the photo from this device too`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    #expect(phone.files[photo.asset.id] == photo.content)
    try laptop.delete("ada")
    let (_, actions) = try laptop.replica.emptyTrash(now: Room.now)
    try laptop.perform(actions)
    #expect(try phone.replica.collectAssets(now: Room.now) == [photo.asset.id])
    #expect(try laptop.replica.collectAssets(now: Room.now) == [photo.asset.id])
  }

  @Test func `what nothing names goes after time that was watched, not after a jump`() throws {
    let laptop = try TestDevice(room, "laptop")
    let photo = photo(1)
    try set(photo, of: "ada", on: laptop)
    func collect(atHour hour: Int64) throws -> [AssetDigest] {
      try laptop.replica.collectAssets(now: Room.now.adding(seconds: hour * 3600))
    }
    for hour in 0..<30 as Range<Int64> { #expect(try collect(atHour: hour).isEmpty) }
    try laptop.delete("ada")
    #expect(try collect(atHour: 30).isEmpty)
    #expect(try collect(atHour: 3000).isEmpty, "the clock jumped")
    #expect(try collect(atHour: 31).isEmpty, "and back")
    let end = 31 + DeviceLimits.assetGraceSeconds / 3600
    for hour in 32...end { #expect(try collect(atHour: hour).isEmpty) }
    #expect(try collect(atHour: end + 1) == [photo.asset.id])
    #expect(try !laptop.reader.isHere(photo.asset))
  }
}
