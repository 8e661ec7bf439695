import AssetFiles
import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import PredicateWorld
import Records

/// A store with many contacts of several accounts. Some have photos, and some are in a zone that is shared with the next
/// account.
struct CopiedCrowd {
  private static let accountCount = 4
  private static let contactsPerRequest = 200

  let contactCount: Int
  let fileCount: Int

  /// Fills an empty place.
  func fill(_ place: CopiedPlace, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let photos = try photos(to: place.files(), &generator)
    let store = try place.open()
    var clients = try (0..<Self.accountCount).map {
      try StoreClient(store, account: "account\($0)", key: [UInt8($0)])
    }
    for index in clients.indices {
      let mine = photos.indices.filter { $0 % clients.count == index }.map { photos[$0] }
      let shared = try share(from: &clients, index)
      try save(mine, by: &clients[index], shared)
    }
  }

  /// Writes the files: most have 20 to 400 KB, one in a hundred has several MB.
  private func photos(
    to files: any CompleteFiles, _ generator: inout SeededGenerator
  ) throws -> [Asset] {
    try (0..<fileCount).map { number in
      let size = Int.random(
        in: number % 100 == 7 ? 2_000_000...6_000_000 : 20_000...400_000, using: &generator)
      var bytes = film(byteCount: size, seed: UInt8(number & 0xFF))
      withUnsafeBytes(of: UInt32(number).bigEndian) { bytes.replaceSubrange(0..<4, with: $0) }
      let asset = Asset(of: bytes)
      try files.add(asset) { offset, count in Array(bytes[offset..<offset + count]) }
      files.unpin(asset.id)
      return asset
    }
  }

  /// Makes a zone of one account which the next one has joined.
  private func share(from clients: inout [StoreClient], _ index: Int) throws -> ZoneID {
    let zone = ZoneID(owner: clients[index].identity.account, name: ZoneName(7))
    let secret = ShareSecret(UInt128(5000 + index))
    _ = try clients[index].modify([.saveZone(title: "Group \(index)")], in: zone)
    try clients[index].shared(
      .create(
        zone,
        ShareForm(publicPermission: .readWrite, link: LinkForm(digest: secret.bytes + secret.bytes))
      ))
    _ = try clients[(index + 1) % clients.count].share(.accept(secret)).answer.get()
    return zone
  }

  private func save(
    _ photos: [Asset], by client: inout StoreClient, _ shared: ZoneID
  ) throws {
    try client.store.transact { [client] in
      for photo in photos {
        try $0.registerAsset(photo, UploadID(photo.id, of: client.identity), at: time(1))
      }
    }
    let count = contactCount / Self.accountCount
    for start in stride(from: 0, to: count, by: Self.contactsPerRequest) {
      let contacts = (start..<min(start + Self.contactsPerRequest, count)).map { number in
        contact(number, photo: number < photos.count ? photos[number] : nil)
      }
      // Every fifth request is for the shared zone, the first one too, which has photos.
      if start / Self.contactsPerRequest % 5 == 0 {
        _ = try client.modify(contacts, in: shared)
      } else {
        _ = try client.modify(contacts)
      }
    }
  }

  private func contact(_ number: Int, photo: Asset?) -> Operation {
    var fields: Fields = [
      "firstName": .string("Person \(number)"), "lastName": .string("Zoë 👩‍🍳 \(number % 977)"),
      "company": .string("Company \(number % 131)"), "age": .int64(Int64(number % 90)),
      "notes": .string(String(repeating: "note \(number) ", count: 1 + number % 12)),
    ]
    if let photo { fields["photo"] = .asset(photo) }
    return BrokerStoreTests.save("contact \(number)", fields)
  }
}
