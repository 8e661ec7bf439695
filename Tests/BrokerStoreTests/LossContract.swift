// Every store: notifications about a zone that an account can no longer see. They are not sent and do not
// count against a device's limit.

import BrokerCore
import BrokerStore
import Records
import Testing

extension StoreClient {
  /// Runs a connection's delivery to its end, acknowledging each page and sweeping. Returns the names of the
  /// notified records, and the collapsed notifications.
  mutating func deliver(
    _ delivery: inout Delivery
  ) throws -> (names: [String], folds: [CollapsedNotifications]) {
    var names: [String] = []
    var folds: [CollapsedNotifications] = []
    var isMore = true
    while isMore {
      isMore = false
      var acknowledged: [StoreKey: NotificationNumber] = [:]
      var released: [StoreKey: NotificationNumber] = [:]
      while let read = delivery.nextRead(of: identity) {
        let page = delivery.accept(try store.notifications(read))
        folds += page?.collapsed ?? []
        names += page?.notifications.map(\.record.name.text) ?? []
        let numbers =
          (page?.collapsed.map(\.last) ?? []) + (page?.notifications.map(\.number) ?? [])
        if let last = numbers.last, let through = delivery.acknowledge(last) {
          acknowledged[delivery.receiver] = through
        }
        if let through = delivery.releaseUnreadable() { released[delivery.receiver] = through }
      }
      let step = MaintenanceStep.notifications(
        NotificationCleanup(acknowledged: acknowledged, released: released, through: nil))
      let resumed = try committer.report(of: step, at: time(4)).effects.resumed
      guard resumed.contains(delivery.receiver) else { continue }
      delivery.retry()
      isMore = true
    }
    return (names, folds)
  }
}

@Suite("B1, B2, I10, I11, Z4 notifications after a loss of access")
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
  func `an offline device that lost a busy zone is notified about its other zones`(
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
      ? try world.ada.modify([.deleteZone()], in: world.zone).1
      : try world.ada.share(world.removal).effects
    #expect(lost.resumed == [start.receiver])
    try write(3, "late ", in: friends, &world)
    try world.bob.sweep()
    var delivery = Delivery(start)
    let (names, folds) = try world.bob.deliver(&delivery)
    #expect(names == (0..<5).map { "early \($0)" } + (0..<3).map { "late \($0)" })
    #expect(folds.map(\.count) == [2], "what a fold says is of the zone that is still there")
    #expect(folds.map { $0.zones.map(\.zone) } == [[friends]])
  }

  @Test(arguments: StoreKind.allCases)
  func `a collapsed notification about only a lost zone is not sent`(kind: StoreKind) throws {
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
  func `a sweep also frees entries that the device may not read and cannot acknowledge`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    for start in stride(from: 0, to: 1200, by: 400) {
      _ = try world.writer.modify((start..<start + 400).map { save("a\($0)") })
    }
    try world.reader.sweep()
    let waiting = try world.reader.told(behind: world.start).notifications
    let last = try #require(waiting.last?.number)
    let step = MaintenanceStep.notifications(
      NotificationCleanup(
        acknowledged: [:], released: [world.start.receiver: last], through: nil))
    let report = try world.reader.committer.report(of: step, at: time(4))
    #expect(report.effects.resumed == [world.start.receiver])
    #expect(try world.reader.follow().predecessor == .none, "it never said that it has them")
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `an unreadable notification does not replace others with its collapse key`(
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
  func `leaving a zone deletes its subscriptions in one update, and others still notify`(
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
    #expect(effects.resumed == [start.receiver])
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
