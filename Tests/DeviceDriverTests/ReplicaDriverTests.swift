// The driver by itself: made-up records, a real broker in the process, and no agent.

import AssetFiles
import BrokerClientTesting
import DeviceStore
import GRDB
import Processes
import Records
import SyncCore
import Synchronization
import Testing

@testable import DeviceDriver

@Suite("a driver of any replica", .timeLimit(.minutes(5)))
struct ReplicaDriverTests {
  // MARK: Edits

  @Test func `an edit on one device arrives on the other, and is published there`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await DrivenDevice.with("phone", broker: broker.address) { phone in
          try await phone.waitUntilLive()
          let watch = try #require(phone.driver.events.watch())
          try await laptop.save("a", title: "Milk")
          var titles: [String] = []
          for await news in watch.news {
            titles += news.events.map(\.id)
            if !titles.isEmpty { break }
          }
          #expect(titles == ["a"])
          #expect(try phone.title("a") == "Milk")
        }
      }
    }
  }

  @Test func `watchers learn that the broker confirmed an edit, without an event`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await laptop.waitUntilLive()
        let watch = try #require(laptop.driver.events.watch())
        try await laptop.save("a", title: "Milk")
        let sequence = try laptop.driver.reader.lastEvent()
        for await news in watch.news where !news.confirmed.isEmpty {
          #expect(
            news.confirmed == [ConfirmedRecords(zone: .standard, type: DrivenDevice.type)])
          #expect(news.events.isEmpty && news.confirmationCount > 0)
          break
        }
        #expect(try laptop.driver.reader.lastEvent() == sequence)
      }
    }
  }

  @Test func `synchronize returns true once the broker has every edit`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        for number in 1...50 { try await laptop.save("r\(number)", title: "\(number)") }
        #expect(try await laptop.driver.synchronize(waitSeconds: 60))
        #expect(try laptop.driver.reader.status().waitingEdits == 0)
        #expect(try laptop.driver.identity().accountName == "alice")
      }
    }
  }

  // The addresses are in the database, which is being closed then. Watches may report the broker a little later.
  @Test func `a driver that was stopped does not look for its broker`() async throws {
    let looks = Mutex(0)
    try await LocalBroker.run { broker in
      try await DrivenDevice.with(
        "laptop", broker: broker.address, looks: { looks.withLock { $0 += 1 } }
      ) { laptop in
        try await laptop.waitUntilLive()
        await laptop.driver.stop()
        let before = looks.withLock { $0 }
        #expect(before > 0)
        await laptop.driver.brokerAppeared()
        await laptop.driver.networkChanged()
        #expect(looks.withLock { $0 } == before)
      }
    }
  }

  @Test func `an edit that throws changes nothing`() async throws {
    try await DrivenDevice.with("laptop") { device in
      let edits = [
        DrivenDevice.save("a", ["title": .string("A")]),
        .delete(DrivenDevice.id("absent"), version: nil),
      ]
      let error = await #expect(throws: RecordsError.self) {
        try await device.driver.edit { ((), try $0.edit(edits, now: $1)) }
      }
      let title = try device.title("a")
      #expect(error?.code == .unknownItem && title == nil)
    }
  }

  @Test func `a hook that throws prevents the edit`() async throws {
    var hooks = DriverHooks()
    hooks.editBegins = { _ in throw RecordsError.invalid("Not now.") }
    try await DrivenDevice.with("laptop", hooks: hooks) { device in
      await #expect(throws: RecordsError.invalid("Not now.")) {
        try await device.save("a", title: "A")
      }
      let title = try device.title("a")
      #expect(title == nil)
    }
  }

  @Test func `without room for its reserve a driver rejects edits`() async throws {
    let reserve = DiskReserve(path: "/nowhere/at/all/reserve")
    try await DrivenDevice.with("laptop", reserve: reserve) { device in
      let error = await #expect(throws: StoreError.self) {
        try await device.save("a", title: "A")
      }
      let title = try device.title("a")
      #expect(error?.kind == .full && title == nil)
    }
  }

  // MARK: Connections

  @Test func `a device without a broker accepts edits and sends them when the broker runs`()
    async throws
  {
    let storage = try LocalBroker.Storage()
    try await DrivenDevice.with("laptop", broker: storage.address) { laptop in
      try await laptop.save("a", title: "Milk")
      #expect(try laptop.title("a") == "Milk")
      #expect(try await !laptop.driver.synchronize(waitSeconds: 0.1))
      try await LocalBroker.run(on: storage) { broker in
        try await DrivenDevice.with("phone", broker: broker.address) { phone in
          try await phone.wait(for: "Milk", of: "a")
        }
      }
    }
  }

  @Test func `a device without a broker stays offline when the network changes`() async throws {
    try await DrivenDevice.with("laptop") { laptop in
      await laptop.driver.networkChanged()
      #expect(laptop.driver.phase == .offline)
    }
  }

  @Test func `a device without a broker stays offline when a user asks it to connect`() async throws
  {
    try await DrivenDevice.with("laptop") { laptop in
      await laptop.driver.brokerAppeared()
      #expect(laptop.driver.phase == .offline)
    }
  }

  @Test func `a driver connects again when the broker returns`() async throws {
    let storage = try LocalBroker.Storage()
    try await DrivenDevice.with("laptop", broker: storage.address) { laptop in
      try await LocalBroker.run(on: storage) { _ in
        try await laptop.save("a", title: "Milk")
        #expect(try await laptop.driver.synchronize(waitSeconds: 60))
      }
      try await Patience.wait(until: "the connection to end") { laptop.driver.phase != .live }
      try await laptop.save("a", title: "Cream")
      try await LocalBroker.run(on: storage) { broker in
        try await DrivenDevice.with("phone", broker: broker.address) { phone in
          try await phone.wait(for: "Cream", of: "a")
        }
      }
    }
  }

  @Test func `a renamed device greets the broker again, and others see the name`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await DrivenDevice.with("phone", broker: broker.address) { phone in
          try await laptop.waitUntilLive()
          try await phone.waitUntilLive()
          try await laptop.driver.rename(device: "desk")
          #expect(try laptop.driver.identity().deviceName == "desk")
          try await Patience.wait(until: "the new name") {
            try phone.driver.identity().deviceNames.values.contains("desk")
          }
        }
      }
    }
  }

  @Test func `a database that fails is named until the device is live again`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await laptop.waitUntilLive()
        let failure = StoreError(.full, "Full.")
        #expect(await laptop.driver.fail(failure) == failure)
        try await laptop.waitUntilLive()
        #expect(laptop.driver.storeFailure == nil)
      }
    }
  }

  @Test func `a request while the disk is full says that it is full`() async throws {
    try await DrivenDevice.with("laptop") { laptop in
      _ = await laptop.driver.fail(StoreError(.full, "Full."))
      let error = await #expect(throws: RecordsError.self) {
        try await laptop.driver.request(.connections)
      }
      #expect(error?.code == .quotaExceeded && error?.message.contains("disk is full") == true)
    }
  }

  // MARK: Requests

  @Test func `a request gets the broker's answer, and without a connection an error at once`()
    async throws
  {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await laptop.waitUntilLive()
        guard case .accounts(let accounts, _) = try await laptop.driver.request(.account(.me))
        else {
          Issue.record("Another answer than accounts.")
          return
        }
        #expect(accounts.map(\.name) == ["alice"])
      }
    }
    var hooks = DriverHooks()
    hooks.statusCommand = "lists status"
    try await DrivenDevice.with("laptop", hooks: hooks) { laptop in
      let error = await #expect(throws: RecordsError.self) {
        try await laptop.driver.request(.account(.me))
      }
      #expect(error?.code == .serviceUnavailable)
      #expect(error?.hint == "Try again when lists status says live.")
      #expect(await !laptop.driver.ask(.trash(.standard), waitSeconds: 60))
    }
  }

  // MARK: The public database

  @Test func `the public database is read on request, and its changes are reported then`()
    async throws
  {
    let offer = RecordID(zone: .public, name: RecordName(stored: "offer"))
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await laptop.driver.edit { replica, now in
          let save = LocalEdit.RecordSave(
            id: offer, type: DrivenDevice.type, changes: FieldChanges(set: ["title": .string("A")]))
          return ((), try replica.edit([.save(save)], now: now))
        }
        #expect(try await laptop.driver.synchronize(waitSeconds: 60))
      }
      try await DrivenDevice.with(
        "phone", broker: broker.address, readsPublicRecords: true
      ) { phone in
        #expect(try await phone.driver.refreshPublicRecords(waitSeconds: 60) == .done)
        #expect(try phone.driver.reader.record(offer)?.fields["title"] == .string("A"))
        #expect(phone.driver.publicReadingRefusal == nil)
        try await Patience.wait(until: "the application's own subscription to be saved") {
          try phone.driver.reader.subscription(DrivenDevice.subscription.id)?.state == .saved
        }
        // The new subscription may begin another reading.
        try await Patience.wait(until: "no reading") { !phone.driver.isReadingPublicRecords }
      }
    }
  }

  // MARK: The end

  @Test func `stop ends all waits and streams at once`() async throws {
    try await DrivenDevice.with("laptop", readsPublicRecords: true) { device in
      let driver = device.driver
      let events = try #require(driver.events.watch())
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          let isDone = try await driver.synchronize(waitSeconds: 3600)
          #expect(!isDone)
        }
        tasks.addTask {
          let ending = try await driver.refreshPublicRecords(waitSeconds: 3600)
          #expect(ending == nil)
        }
        tasks.addTask {
          await #expect(throws: RecordsError.self) {
            try await driver.open(Asset(of: [1]), in: .standard, waitSeconds: 3600)
          }
        }
        tasks.addTask { for await _ in events.news {} }
        try await Patience.wait(until: "the waits to begin") {
          let waits = await driver.waits
          return waits.synchronizations.count + waits.questions.count + waits.files.count == 3
        }
        await driver.stop()
        try await tasks.waitForAll()
      }
      #expect(try await !driver.synchronize(waitSeconds: 3600))
      #expect(driver.events.watch() == nil)
    }
  }

  @Test func `a driver that was stopped stores edits and does not connect`() async throws {
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        try await laptop.waitUntilLive()
        await laptop.driver.stop()
        try await laptop.save("a", title: "Milk")
        await laptop.driver.brokerAppeared()
        #expect(try laptop.title("a") == "Milk")
        #expect(await !laptop.driver.hasConnection)
        #expect(try laptop.driver.reader.status().waitingEdits == 1)
      }
    }
  }

  // MARK: Hooks

  @Test func `background work is done in steps until none is left`() async throws {
    let steps = StepCount()
    let projections = { [SteppedProjection(steps)] }
    try await DrivenDevice.with("laptop", projections: projections) { laptop in
      try await Patience.wait(until: "all steps") { steps.count == 5 }
      // A transaction leaves new work.
      try await laptop.save("a", title: "Milk")
      try await Patience.wait(until: "the new steps") { steps.count == 10 }
    }
  }

  @Test func `a step of background work is idle only after a pause without other work`()
    async throws
  {
    let steps = StepCount()
    let projections = { [SteppedProjection(steps)] }
    try await DrivenDevice.with("laptop", projections: projections) { laptop in
      try await Patience.wait(until: "an idle step") {
        try await laptop.save("a", title: "Milk")
        return steps.idle.contains(true)
      }
      #expect(steps.idle.first == false)
    }
  }

  @Test func `the program is notified of every phase`() async throws {
    let phases = Mutex<[Phase]>([])
    var hooks = DriverHooks()
    hooks.phaseChanged = { phase in phases.withLock { $0.append(phase) } }
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address, hooks: hooks) { laptop in
        try await laptop.waitUntilLive()
      }
    }
    let seen = phases.withLock { $0 }
    #expect(seen.first == .connecting && seen.last == .live)
  }
}

/// The steps of a projection.
private final class StepCount: Sendable {
  private let steps = Mutex<[Bool]>([])

  var count: Int { idle.count }
  /// For each step, whether the device had nothing else to do.
  var idle: [Bool] { steps.withLock { $0 } }

  func add(isIdle: Bool) -> Int {
    steps.withLock { steps in
      steps.append(isIdle)
      return steps.count
    }
  }
}

/// A projection that has five steps to do at first, and after each change of a record.
private final class SteppedProjection: Projection {
  var hasWork = true
  private let steps: StepCount

  init(_ steps: StepCount) { self.steps = steps }

  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    hasWork = true
  }
  func remove(record: Int64, _ db: Database) throws {}
  func remove(zone: Int64, _ db: Database) throws {}
  func removeAll(_ db: Database) throws {}

  func advance(rowsMaximum: Int, isIdle: Bool, in transaction: DeviceTransaction) throws -> Bool {
    !steps.add(isIdle: isIdle).isMultiple(of: 5)
  }
}

extension ReplicaDriver {
  fileprivate var hasConnection: Bool { connection.isOpen }

  /// Fails as the replica would, and returns the failure that the driver then names.
  fileprivate func fail(_ failure: StoreError) -> StoreError? {
    act { _ in throw failure }
    return storeFailure
  }
}
