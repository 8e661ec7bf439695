// What becomes of notifications when an account can no longer see the zone they tell of: nothing of them
// is told, and they are in nobody's way.

import BrokerCore
import BrokerStore
import Records
import Testing

extension StoreClient {
  /// Follows a connection's delivery to its end: pages are acknowledged, and swept. Returns the names of
  /// the records it was told of, and the folds.
  mutating func deliver(
    _ delivery: inout Delivery
  ) throws -> (names: [String], folds: [CollapsedNotifications]) {
    var names: [String] = []
    var folds: [CollapsedNotifications] = []
    var isMore = true
    while isMore {
      isMore = false
      var acknowledged: [StoreKey: NotificationNumber] = [:]
      var passed: [StoreKey: NotificationNumber] = [:]
      while let read = delivery.nextRead(of: identity) {
        let page = delivery.took(try store.notifications(read))
        folds += page?.collapsed ?? []
        names += page?.notifications.map(\.record.name.text) ?? []
        let numbers =
          (page?.collapsed.map(\.last) ?? []) + (page?.notifications.map(\.number) ?? [])
        if let last = numbers.last, let through = delivery.acknowledge(last) {
          acknowledged[delivery.receiver] = through
        }
        if let through = delivery.pass() { passed[delivery.receiver] = through }
      }
      let request = StorageRequest.sweepNotifications(
        NotificationSweep(acknowledged: acknowledged, passed: passed, through: nil))
      guard case .sweptNotifications(let swept?) = committer.perform([request], at: time(4))[0]
      else { throw RecordsError(.internalError, "It was not swept.") }
      guard swept.unfolded.contains(delivery.receiver) else { continue }
      delivery.lookAgain()
      isMore = true
    }
    return (names, folds)
  }
}

@Suite("B1, B2, I10, I11, Z4 what a loss does to notifications")
struct LossContract {
  private func everything(
    _ database: DatabaseScope, id: String, zone: ZoneID? = nil,
    _ change: (inout NotificationForm) -> Void = { _ in }
  ) -> SubscriptionForm {
    var notification = NotificationForm()
    change(&notification)
    return SubscriptionForm(
      id: SubscriptionID(stored: id), database: database,
      kind: zone.map { .zone($0, type: nil) } ?? .database(type: nil), notification: notification)
  }

  private func write(
    _ count: Int, _ prefix: String, in zone: ZoneID, _ world: inout SharedWorld
  ) throws {
    for start in stride(from: 0, to: count, by: 400) {
      let names = (start..<min(count, start + 400)).map { "\(prefix)\($0)" }
      _ = try world.ada.modify(names.map { save($0) }, in: zone)
    }
  }

  /// Shares another zone of ada's with bob.
  private func anotherZone(_ world: inout SharedWorld) throws -> ZoneID {
    let zone = ZoneID(owner: world.ada.identity.account, name: ZoneName(8))
    let secret = ShareSecret(0xBEEF)
    _ = try world.ada.modify([.saveZone(title: "Friends")], in: zone)
    try world.ada.shared(
      .create(
        zone,
        ShareForm(
          publicPermission: .readWrite, link: LinkForm(digest: secret.bytes + secret.bytes))))
    _ = try world.bob.share(.accept(secret)).answer.get()
    return zone
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a device that was away when a busy zone was lost is told of the others`(
    kind: StoreKind, isDeleted: Bool
  ) throws {
    var world = try SharedWorld(kind)
    let start = try world.bob.follow()
    try world.accept()
    let friends = try anotherZone(&world)
    try world.bob.subscribe(everything(.shared, id: "all"))
    try write(5, "early ", in: friends, &world)
    try write(1200, "lost ", in: world.zone, &world)
    try write(2, "folded ", in: friends, &world)
    try world.bob.sweep()
    let lost =
      isDeleted
      ? try world.ada.modify([.deleteZone], in: world.zone).1
      : try world.ada.share(world.removal).effects
    #expect(lost.unfolded == [start.receiver])
    try write(3, "late ", in: friends, &world)
    try world.bob.sweep()
    var delivery = Delivery(start)
    let (names, folds) = try world.bob.deliver(&delivery)
    #expect(names == (0..<5).map { "early \($0)" } + (0..<3).map { "late \($0)" })
    #expect(folds.map(\.count) == [2], "what a fold says is of the zone that is still there")
    #expect(folds.map { $0.zones.map(\.zone) } == [[friends]])
  }

  @Test(arguments: StoreKind.allCases)
  func `a fold of nothing but a lost zone is not told`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    let start = try world.bob.follow()
    try world.accept()
    try world.bob.subscribe(everything(.shared, id: "all"))
    try write(1200, "r", in: world.zone, &world)
    try world.bob.sweep()
    try world.ada.shared(world.removal)
    var delivery = Delivery(start)
    let told = try world.bob.deliver(&delivery)
    #expect(told.names.isEmpty && told.folds.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `what waits unread for a reason nobody cleared away makes room too`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    for start in stride(from: 0, to: 1200, by: 400) {
      _ = try world.writer.modify((start..<start + 400).map { save("a\($0)") })
    }
    try world.reader.sweep()
    let waiting = try world.reader.told(behind: world.start).notifications
    let last = try #require(waiting.last?.number)
    let request = StorageRequest.sweepNotifications(
      NotificationSweep(
        acknowledged: [:], passed: [world.start.receiver: last], through: nil))
    guard
      case .sweptNotifications(let swept?) = world.reader.committer.perform(
        [request], at: time(4))[0]
    else { throw RecordsError(.internalError, "It was not swept.") }
    #expect(swept.unfolded == [world.start.receiver])
    #expect(try world.reader.follow().predecessor == .none, "it never said that it has them")
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `what may not be read takes nothing with it under their collapse key`(
    kind: StoreKind, isSwept: Bool
  ) throws {
    var world = try SharedWorld(kind)
    let start = try world.bob.follow()
    try world.accept()
    let friends = try anotherZone(&world)
    try world.bob.subscribe(everything(.shared, id: "all") { $0.collapseKey = "k" })
    try write(1, "kept ", in: friends, &world)
    try write(1, "lost ", in: world.zone, &world)
    try world.ada.shared(world.removal)
    if isSwept { try world.bob.sweep() }
    #expect(
      try world.bob.told(behind: start).notifications.map(\.record.name.text) == ["kept 0"])
  }

  @Test(arguments: StoreKind.allCases)
  func `leaving a zone deletes hundreds of subscriptions as one, and others are told`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    let start = try world.bob.follow()
    try world.accept()
    let friends = try anotherZone(&world)
    for index in 0..<300 {
      try world.bob.subscribe(everything(.shared, id: "s\(index)", zone: world.zone))
    }
    try world.bob.subscribe(everything(.shared, id: "friends", zone: friends))
    try write(4, "lost ", in: world.zone, &world)
    try world.bob.sweep()
    let effects = try world.bob.share(.leave(world.zone)).effects
    #expect(effects.unfolded == [start.receiver])
    let deletions = effects.directories.filter { !$0.page.subscriptions.isEmpty }
    #expect(deletions.count == 1)
    #expect(deletions.first?.page.subscriptions.count == 300)
    let page = try #require(deletions.first?.page)
    #expect(page.to.value - page.from.value == 300)
    let signedIn = try StoreClient.signIn(
      &world.bob.committer, account: "bob", key: [2], device: world.bob.identity.device,
      directory: page.from)
    #expect(signedIn.isDirectoryLeftOut && signedIn.directory.to >= page.to)
    let whole = try world.bob.store.directory(of: world.bob.identity)
    #expect(whole.subscriptions.map(\.id) == [SubscriptionID(stored: "friends")])
    try write(1, "told ", in: friends, &world)
    #expect(
      try world.bob.told(behind: start).notifications.map(\.record.name.text) == ["told 0"])
  }
}
