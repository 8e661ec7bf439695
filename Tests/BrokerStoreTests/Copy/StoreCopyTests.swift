// Copies between all kinds of stores: every row arrives, the store works on, an interrupted copy goes on, and nothing
// is published or sealed that should not be.

import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Records
import SQLConnections
import Testing

@Suite("S4 store copies")
struct StoreCopyTests {
  /// The kinds of a source and a target.
  struct Route: CustomTestStringConvertible {
    let from: CopiedPlace.Kind
    let to: CopiedPlace.Kind

    var testDescription: String { "\(from) to \(to)" }

    static var all: [Route] {
      CopiedPlace.Kind.available.flatMap { from in
        CopiedPlace.Kind.available.map { Route(from: from, to: $0) }
      }
    }
  }

  private struct Interruption: Error {}

  private func world(_ kind: CopiedPlace.Kind) throws -> (CopiedPlace, CopiedWorld) {
    let place = try CopiedPlace.make(kind)
    return (place, try CopiedWorld(place))
  }

  // MARK: Everything arrives

  @Test func `a copy to each kind of store and back has the same rows in every table`() throws {
    var (place, _) = try world(.file)
    try place.fillEmptyTables()
    let contents = try place.contents()
    #expect(contents.allSatisfy { !$0.value.isEmpty })
    for kind in CopiedPlace.Kind.available + [.file] {
      let next = try CopiedPlace.make(kind)
      try place.copy(to: next)
      #expect(try next.contents() == contents, "\(kind)")
      place = next
    }
  }

  @Test(arguments: Route.all)
  func `devices go on after a copy as if nothing had happened`(route: Route) throws {
    let (from, world) = try world(route.from)
    let before = try state(from, of: world.adaDevice)
    let to = try CopiedPlace.make(route.to)
    try from.copy(to: to)
    let store = try to.open()
    var ada = try StoreClient(store, key: [1], device: world.adaDevice)
    #expect(try ada.stored().incarnation == before.incarnation)
    #expect(try names(ada, after: 0).0 == before.names)
    let (outcome, effects) = try ada.modify([save("new"), attach("late", to: ["kept"])])
    #expect(
      outcome.groups[0] == [
        .saved(tag: Revision(before.head + 1)), .saved(tag: Revision(before.head + 2)),
      ])
    #expect(effects.zones.count == 1)
    #expect(try names(ada, after: before.head).0 == ["new", "late"])
    while try ada.completeCascades().1 {}
    var phone = try StoreClient(store, key: [3], device: world.phoneDevice)
    let told = try phone.told(behind: phone.follow(from: world.position.value)).notifications
    #expect(told.map(\.record.name.text).contains("text 2") && told.last?.record.name.text == "c8")
    var bob = try StoreClient(store, account: "bob", key: [2])
    let zone = ZoneID(owner: ada.identity.account, name: CopiedWorld.zone)
    #expect(try bob.refusalOfWriting(in: zone) == nil)
    #expect(try bob.publicRecord("p")?.name.text == "p")
    var eve = try StoreClient(store, account: "eve", key: [9])
    #expect(try eve.results([save("first")]) == [.saved(tag: Revision(1))])
  }

  private func state(_ place: CopiedPlace, of device: DeviceID) throws -> (
    incarnation: Incarnation, head: Int64, names: [String]
  ) {
    let client = try StoreClient(place.open(), key: [1], device: device)
    let (names, head) = try names(client, after: 0)
    return (try client.stored().incarnation, head, names)
  }

  /// Returns the names of all changes after a revision, and the revision of the last one.
  private func names(_ client: StoreClient, after: Int64) throws -> ([String], head: Int64) {
    var (names, head): ([String], Int64) = ([], after)
    while true {
      let page = try client.page(after: head)
      guard page.to.value > head else { return (names, head) }
      names += page.changes.map(\.name.text)
      head = page.to.value
    }
  }

  @Test(arguments: Route.all)
  func `keys of rows that are gone are not given out again`(route: Route) throws {
    let (from, _) = try world(.file)
    try from.withDatabase { db in
      try db.run("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'subscription'")
    }
    let (middle, to) = (try CopiedPlace.make(route.from), try CopiedPlace.make(route.to))
    try from.copy(to: middle)
    try middle.copy(to: to)
    let next = try to.withDatabase { db in try db.nextKey(of: "subscription") }
    #expect(next == 5001)
  }

  @Test(arguments: Route.all)
  func `triggers count once, and work after the copy`(route: Route) throws {
    let (from, world) = try world(route.from)
    let charge = "SELECT bytes FROM asset_charge"
    let bytes = try from.number(charge)
    #expect(bytes == CopiedWorld.photo.sizeBytes)
    let to = try CopiedPlace.make(route.to)
    try from.copy(to: to)
    #expect(try to.number(charge) == bytes)
    var ada = try StoreClient(to.open(), key: [1], device: world.adaDevice)
    let other = Asset(digest: Array(repeating: 8, count: 32), sizeBytes: 50)
    try ada.store.transact { [ada] in
      try $0.registerAsset(other, UploadID(other.id, of: ada.identity), at: time(1))
    }
    let past = "SELECT count(*) FROM past"
    let states = try to.number(past)
    let head = try ada.results([save("new")])
    guard case .saved(let tag) = head[0] else { throw Interruption() }
    _ = try ada.results([save("new", tag: tag.value, ["age": .int64(1)])])
    #expect(try to.number(charge) == CopiedWorld.photo.sizeBytes + 50)
    #expect(try to.number(past) == states + 1)
  }

  // MARK: Interruptions

  @Test(arguments: Route.all)
  func `a copy that is interrupted after any step goes on where it stopped`(route: Route) throws {
    let (from, _) = try world(route.from)
    let contents = try from.contents()
    let to = try CopiedPlace.make(route.to)
    var steps: [StoreCopy.Step] = []
    var interruptions = 0
    while true {
      do {
        try from.copy(to: to) { step in
          switch step {
          // Verification begins again each time, so its steps are not interrupted.
          case .verified, .verifiedFiles: return
          case .begun, .written, .filed, .published, .sealed: break
          }
          steps.append(step)
          throw Interruption()
        }
        break
      } catch let error as StoreError where error.message.contains("Interruption") {
        interruptions += 1
        try #require(interruptions < 500)
        // At most one of the two serves.
        #expect(try !(from.serves() && to.serves()))
      }
    }
    #expect(try to.contents() == contents)
    #expect(steps.first == .begun && Array(steps.suffix(2)) == [.sealed, .published])
    // No page is written twice.
    let pages = steps.filter { $0 == .written(table: "record") }.count
    let records = try #require(contents["record"]?.count)
    #expect(pages <= records && pages >= records / 3)
    #expect(throws: StoreError.self) { _ = try from.open() }
    _ = try to.open()
  }

  @Test(arguments: CopiedPlace.Kind.available)
  func `a target serves only once the copy is verified and published`(kind: CopiedPlace.Kind) throws
  {
    let (from, _) = try world(.file)
    let to = try CopiedPlace.make(kind)
    var hadStore: [Bool] = []
    try from.copy(to: to) { step in
      if case .verified = step { hadStore.append(try hasAccounts(at: to)) }
      if step == .published { hadStore.append(try hasAccounts(at: to)) }
    }
    #expect(hadStore.last == true && !hadStore.dropLast().contains(true))
  }

  private func hasAccounts(at place: CopiedPlace) throws -> Bool {
    switch place.address {
    case .directory:
      try place.number("SELECT count(*) FROM sqlite_master WHERE name = 'account'") > 0
    case .server: try place.number("SELECT to_regclass('contacts_broker.account') IS NOT NULL") > 0
    }
  }

  // MARK: Refusals

  private func refusal(_ body: () throws -> Void) -> StoreCopy.Refusal? {
    #expect(throws: StoreCopy.Refusal.self, performing: body)
  }

  @Test(arguments: Route.all)
  func `a target with records is refused`(route: Route) throws {
    let (from, _) = try world(route.from)
    let (to, _) = try world(route.to)
    let contents = try to.contents()
    guard case .targetHasRecords = refusal({ try from.copy(to: to) }) else {
      Issue.record("The target was not refused.")
      return
    }
    #expect(try to.contents() == contents)
    _ = try from.open()
  }

  @Test(arguments: Route.all)
  func `a store without accounts is replaced`(route: Route) throws {
    let (from, _) = try world(route.from)
    let contents = try from.contents()
    let to = try CopiedPlace.make(route.to)
    _ = try to.open()
    try from.copy(to: to)
    #expect(try to.contents() == contents)
  }

  @Test(arguments: Route.all)
  func `an unfinished copy is not continued from another store, nor from a changed one`(
    route: Route
  )
    throws
  {
    let (from, world) = try world(route.from)
    let (other, _) = try self.world(.file)
    let to = try CopiedPlace.make(route.to)
    let interrupted = #expect(throws: StoreError.self) {
      try from.copy(to: to) { if $0 == .written(table: "device") { throw Interruption() } }
    }
    #expect(interrupted?.message.contains("Interruption") == true)
    guard case .otherCopy = refusal({ try other.copy(to: to) }) else {
      Issue.record("The copy of another store was continued.")
      return
    }
    do {
      var ada = try StoreClient(from.open(), key: [1], device: world.adaDevice)
      _ = try ada.results([save("meanwhile")])
    }
    guard case .otherCopy = refusal({ try from.copy(to: to) }) else {
      Issue.record("The copy of a changed store was continued.")
      return
    }
    let contents = try from.contents()
    try from.copy(to: to, discards: true)
    #expect(try to.contents() == contents)
  }

  @Test(arguments: Route.all)
  func `a complete copy of a sealed store is published, and none of another store is`(
    route: Route
  ) throws {
    let (from, _) = try world(route.from)
    let contents = try from.contents()
    let (to, elsewhere) = (try CopiedPlace.make(route.to), try CopiedPlace.make(route.to))
    _ = #expect(throws: StoreError.self) {
      try from.copy(to: to) { if $0 == .sealed { throw Interruption() } }
    }
    #expect(try !from.serves() && !to.serves())
    let (other, _) = try world(.file)
    _ = #expect(throws: StoreError.self) {
      try other.copy(to: elsewhere) { if $0 == .written(table: "zone") { throw Interruption() } }
    }
    guard case .sourceIsSealed = refusal({ try from.copy(to: elsewhere) }) else {
      Issue.record("The unfinished copy of another store was published.")
      return
    }
    // Even then the only copy of a sealed store is not deleted.
    try from.copy(to: to, discards: true)
    #expect(try to.contents() == contents)
    try other.copy(to: elsewhere)
  }

  @Test(arguments: Route.all)
  func `a difference is found, named, and not published`(route: Route) throws {
    let (from, _) = try world(route.from)
    let to = try CopiedPlace.make(route.to)
    let found = refusal {
      try from.copy(to: to) { step in
        guard case .verified(let rows) = step, rows.table == "account" else { return }
        try to.withDatabase(suffix: ".copy") { db in
          try db.run("UPDATE zone SET title = 'other' WHERE title = 'Family'")
        }
      }
    }
    guard case .differs("zone", let expected, let count, _) = found else {
      Issue.record("The difference was not found: \(String(describing: found))")
      return
    }
    #expect(expected == count)
    _ = try from.open()
    #expect(try !hasAccounts(at: to))
  }

  @Test(arguments: Route.all)
  func `a broker refuses to start on a sealed store and says how to undo it`(route: Route) throws {
    let (from, world) = try world(route.from)
    let to = try CopiedPlace.make(route.to)
    try from.copy(to: to)
    let error = #expect(throws: StoreError.self) { _ = try from.open() }
    #expect(error?.kind == .foreign)
    #expect(error?.message.contains("was renamed to") == true)
    guard case .sourceIsSealed = refusal({ try from.copy(to: CopiedPlace.make(.file)) }) else {
      Issue.record("A sealed store was copied.")
      return
    }
    // There and back: the earlier store is not replaced.
    try to.copy(to: from)
    do { _ = try StoreClient(from.open(), key: [1], device: world.adaDevice) }
    guard case .hasSealedStore = refusal({ try from.copy(to: CopiedPlace.make(.file)) }) else {
      Issue.record("A sealed store was replaced.")
      return
    }
  }

  @Test func `a store in use and a missing store are refused`() throws {
    let empty = try CopiedPlace.make(.file)
    guard case .noStore = refusal({ try empty.copy(to: CopiedPlace.make(.file)) }) else {
      Issue.record("A missing store was copied.")
      return
    }
    #expect(refusal { try empty.copy(to: empty) } == .sameStore)
    guard CopiedPlace.Kind.available.contains(.server) else { return }
    let used = try CopiedPlace.make(.server)
    let store = try used.open()
    let error = #expect(throws: StoreError.self) { try used.copy(to: empty) }
    #expect(error?.kind == .inUse)
    withExtendedLifetime(store) {}
  }

  @Test(.enabled(if: CopiedPlace.Kind.available.contains(.server)))
  func `a text that PostgreSQL cannot store is named`() throws {
    let (from, _) = try world(.file)
    try from.withDatabase { db in
      try db.run("UPDATE device SET name = 'a' || char(0) || 'b' WHERE key = 1")
    }
    let found = refusal { try from.copy(to: CopiedPlace.make(.server)) }
    #expect(found == .textWithNUL(column: "device.name", row: "key 1"))
    let file = try CopiedPlace.make(.file)
    let contents = try from.contents()
    try from.copy(to: file, discards: true)
    #expect(try file.contents() == contents)
  }
}
