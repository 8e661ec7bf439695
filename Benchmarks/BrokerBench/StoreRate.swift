// The storage thread's part of P3: requests of fifty devices, planned and committed fifty a transaction,
// without sockets and event loop. Compared with SQLite in C, it shows the cost of planning and its types;
// compared with the broker's rate, the cost of the sockets.

import BrokerCore
import BrokerStore
import Measuring
import Predicates
import Records
import RecordsWire

/// Commits requests to a store in this process.
struct StoreRate {
  private let setting: BenchSetting
  private let seconds = Double(CommandLine.arguments.dropFirst(2).first ?? "3") ?? 3
  private let devices = 50

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures fifty requests of one record a transaction, in three situations: without subscriptions, with
  /// `Limits.subscriptionsPerAccount` subscriptions of each account that do not match, and with a
  /// notification for each save.
  func measure() throws {
    try measure("store_saves_50_per_s") { _, _ in }
    try measure("store_saves_50_subscribed_per_s") { identity, committer in
      let predicates = (0..<Limits.subscriptionsPerAccount).map {
        "city == 'Nowhere \($0)' AND age > \($0)"
      }
      try subscribe(predicates, identity, &committer)
    }
    try measure("store_saves_50_told_per_s") { identity, committer in
      try subscribe(["TRUEPREDICATE"], echo: true, identity, &committer)
    }
  }

  private typealias Preparation = (
    SessionIdentity, inout Committer<SystemRandomNumberGenerator>
  ) throws -> Void

  private func measure(_ name: String, _ prepare: Preparation) throws {
    let store = try SQLiteRecordStore(path: setting.folder + "/\(name).sqlite")
    var committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    let identities = try (0..<devices).map { try committer.signIn($0) }
    for identity in identities { try prepare(identity, &committer) }
    let fields = try fields(bytes: 300)
    var generator = SystemRandomNumberGenerator()
    var number = RequestNumber.zero
    var now = Timestamp(microseconds: 1_800_000_000_000_000)
    let start = Measurement.monotonicSeconds()
    while Measurement.monotonicSeconds() < start + seconds {
      let acknowledged = number
      number = number.next
      now = Timestamp(microseconds: now.microseconds + 1000)
      let requests = identities.enumerated().map { index, identity in
        let name = RecordName.generated(at: now, using: &generator)
        let save = Operation.Save(
          name: name, type: RecordType(stored: "Contact"), tag: nil, fields: fields)
        return StorageRequest.client(
          .modify(
            ModifyRequest(
              number: number, acknowledged: acknowledged,
              groups: [OperationGroup(zone: .standard, operations: [.save(save)])])),
          RequestContext(
            connection: ConnectionID(index), replyTo: 1, identity: identity, queuedBytes: 400))
      }
      for result in committer.perform(requests, at: now) {
        guard case .client(.modified(let outcome, _), _) = result,
          case .saved? = outcome.groups.first?.first
        else { throw BenchFailure("A save failed: \(result)") }
      }
    }
    let rate = Double(number.value * Int64(devices)) / (Measurement.monotonicSeconds() - start)
    Measurement.report(name, rate)
    try measureQuery(store, identities[0], count: Int(number.value))
  }

  /// Measures a query page that scans every record of a zone and finds none.
  private func measureQuery(
    _ store: SQLiteRecordStore, _ identity: SessionIdentity, count: Int
  ) throws {
    let query = try RecordQuery(
      QueryForm(
        zone: ZoneID(owner: identity.account, name: .standard),
        type: RecordType(stored: "Contact"), predicate: PredicateText("firstName == 'nobody'")))
    let start = Measurement.monotonicSeconds()
    let page = try store.query(
      query, from: nil, of: identity,
      clock: QueryClock(now: Timestamp(microseconds: 0)) { false })
    let seconds = Measurement.monotonicSeconds() - start
    guard page.records.isEmpty else { throw BenchFailure("The query must find no record.") }
    Measurement.report("store_query_records_per_s", Double(count) / seconds)
  }

  private func subscribe(
    _ predicates: [String], echo: Bool = false, _ identity: SessionIdentity,
    _ committer: inout Committer<SystemRandomNumberGenerator>
  ) throws {
    let requests = predicates.map { predicate in
      let form = SubscriptionForm(
        id: SubscriptionID(stored: predicate),
        kind: .query(
          type: RecordType(stored: "Contact"), predicate: PredicateText(predicate), zone: nil),
        includesOwnChanges: echo)
      return StorageRequest.client(
        .saveSubscription(form),
        RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
    }
    for result in committer.perform(requests, at: Timestamp(microseconds: 0)) {
      guard case .client(.answered(.subscriptionSaved, _), _) = result else {
        throw BenchFailure("A subscription was not saved: \(result)")
      }
    }
  }
}

extension Committer<SystemRandomNumberGenerator> {
  /// Creates an account with a device.
  mutating func signIn(_ index: Int) throws -> SessionIdentity {
    let hello = Hello(
      version: 1, container: "contacts", accountName: "person \(index)", deviceName: "device",
      device: nil, deviceKey: Array(repeating: UInt8(index), count: 32), lastNumber: .zero,
      acknowledged: .zero, directory: .zero, zones: [])
    let request = StorageRequest.signIn(
      SignInRequest(
        peer: .localUser(0), maySpeakForOthers: true, accountsAreOpen: true, hello: hello,
        deviceKeyDigest: Array(repeating: UInt8(index), count: 32)), ConnectionID(index))
    let results = perform([request], at: Timestamp(microseconds: 0))
    guard case .signedIn(.success(let signedIn), _)? = results.first else {
      throw BenchFailure("A device could not sign in: \(results)")
    }
    return signedIn.identity
  }
}
