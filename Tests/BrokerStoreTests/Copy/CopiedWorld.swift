import AssetFiles
import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Pairing
import Predicates
import Records
import SQLConnections
import Testing

/// A store with something of everything: shares, pending notifications, a pending cascade, an emptied trash, public
/// records, an index, assets and an invitation.
struct CopiedWorld {
  static let zone = ZoneName(7)
  static let photoBytes = film(byteCount: 600_000)
  static let photo = Asset(of: photoBytes)
  static let texts = [
    "", "'\"\\;$1?", "e\u{301}\u{1F469}\u{200D}\u{1F373}\u{10FFFF}", "\u{1}\t\n\u{7F}\u{FEFF}",
  ]

  let adaDevice: DeviceID
  let phoneDevice: DeviceID
  /// Where the phone has begun to follow its notifications.
  let position: NotificationNumber

  /// Fills an empty store and its files, and keeps nothing of them open.
  init(_ place: CopiedPlace) throws {
    let files = try place.files()
    let store = try place.open()
    try files.add(Self.photo) { offset, count in Array(Self.photoBytes[offset..<offset + count]) }
    files.unpin(Self.photo.id)
    var clients = try Clients(store)
    (adaDevice, phoneDevice) = (clients.ada.identity.device, clients.phone.identity.device)
    position = try clients.phone.follow().position
    try clients.fill(store)
  }
}

/// The devices that fill a store.
private struct Clients {
  var ada: StoreClient
  var bob: StoreClient
  var phone: StoreClient

  init(_ store: any RecordStore) throws {
    ada = try StoreClient(store, key: [1])
    bob = try StoreClient(store, account: "bob", key: [2])
    phone = try StoreClient(store, key: [3])
  }

  mutating func fill(_ store: any RecordStore) throws {
    let declared = try DeclaredIndex("Contact.age")
    try store.transact { _ = try $0.declareIndexes([declared]) }
    try phone.subscribe(query("TRUEPREDICATE"))
    try store.transact { [ada] in
      try $0.registerAsset(
        CopiedWorld.photo, UploadID(CopiedWorld.photo.id, of: ada.identity), at: time(1))
    }
    try edit()
    try share()
    let offer = InvitationOffer(
      id: InvitationKey(of: InvitationCode(77)).id,
      key: InvitationKey(of: InvitationCode(77)).bytes, seconds: 600)
    _ = ada.committer.perform(
      [.administer(.invite(account: "ada", offer), ConnectionID(9), replyTo: 1)], at: time(100))
  }

  private mutating func edit() throws {
    for (index, text) in CopiedWorld.texts.enumerated() {
      _ = try ada.modify([
        save("text \(index)", ["age": .int64(Int64(index)), "text": .string(text)])
      ])
    }
    let large = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0) })
    _ = try ada.modify([
      save("large", ["bytes": .bytes(large), "photo": .asset(CopiedWorld.photo)])
    ])
    _ = try ada.modify([save("gone"), save("kept", ["age": .int64(5)])])
    _ = try ada.modify([delete("gone", tag: 6)])
    _ = try ada.modify([.emptyTrash(through: Revision(8))])
    _ = try ada.modify([save("kept", tag: 7, ["age": .int64(6)])])
    _ = try ada.results([save("post")] + (0..<9).map { attach("c\($0)", to: ["post"]) })
    let post = try #require(
      try ada.store.fetch(
        [RecordID(zone: .standard, name: RecordName(stored: "post"))], of: ada.identity)[0])
    _ = try ada.results([delete("post", tag: post.tag.value)])
    _ = try bob.change(publicSave("p", "Post", ["caption": .string("Frost")]))
  }

  private mutating func share() throws {
    let zone = ZoneID(owner: ada.identity.account, name: CopiedWorld.zone)
    _ = try ada.modify([.saveZone(title: "Family"), save("a"), save("b")], in: zone)
    try ada.shared(.create(zone, ShareForm(publicPermission: .readWrite, link: SharedWorld.link)))
    _ = try bob.share(.accept(SharedWorld.secret)).answer.get()
    _ = try bob.modify([save("by bob")], in: zone)
  }
}

extension CopiedPlace {
  /// Gives each table that is still empty a row, so that none is copied untested. No store can use the result.
  func fillEmptyTables() throws {
    for (table, columns) in try tables() {
      try withDatabase { db in
        guard try db.rows("SELECT 1 FROM \(table)").isEmpty else { return }
        let types: [String] = try columns.map {
          try db.value("SELECT type FROM pragma_table_info(?) WHERE name = ?", [table, $0]) ?? ""
        }
        let values = zip(columns, types).map { column, type in
          switch type {
          case "INTEGER": column == "id" ? "1" : "7"
          case "TEXT": "'text'"
          default: "x'00FF'"
          }
        }
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        try db.run("INSERT INTO \(table) (\(list)) VALUES (\(values.joined(separator: ", ")))")
      }
    }
  }
}
