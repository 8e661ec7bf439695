import BrokerCore
import Records
import Testing

@Suite("B1 saving a subscription")
struct SubscriptionPlanTests {
  private func form(
    zone: ZoneID? = nil, database: DatabaseScope = .private, device: DeviceID? = nil
  ) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: "s"), device: device, database: database,
      kind: .query(
        type: RecordType(stored: "Contact"), predicate: PredicateText("a == 1"), zone: zone))
  }

  private func plan(
    _ form: SubscriptionForm, byteCount: Int = 100, isRevoked: Bool = false,
    existing: SubscriptionState? = nil, zone: StoredZone? = nil,
    usage: SubscriptionRows.Usage = SubscriptionRows.Usage()
  ) -> SubscriptionPlan {
    SubscriptionPlan(
      form, byteCount: byteCount, of: identity,
      gathered: SubscriptionRows(
        isRevoked: isRevoked, existing: existing, zone: zone, usage: usage))
  }

  private func code(_ plan: SubscriptionPlan) -> RecordsError.Code? {
    if case .refuse(let error) = plan { error.code } else { nil }
  }

  @Test func `a device can save subscriptions for its account or for itself only`() {
    #expect(plan(form()) == .save)
    #expect(plan(form(device: identity.device)) == .save)
    #expect(code(plan(form(device: DeviceID(99)))) == .permissionFailure)
    #expect(code(plan(form(), isRevoked: true)) == .notAuthenticated)
  }

  @Test func `saving an identical subscription changes nothing, unless it had failed`() {
    let failure = RecordsError(.limitExceeded, "Too long.")
    let id = form().id
    #expect(plan(form(), existing: SubscriptionState(id: id, form: form())) == .unchanged)
    #expect(
      plan(form(), existing: SubscriptionState(id: id, form: form(), failure: failure)) == .save)
    let other = form(device: identity.device)
    #expect(plan(form(), existing: SubscriptionState(id: id, form: other)) == .save)
  }

  @Test func `the zone must exist, be readable, and be in the named database`() {
    let own = ZoneID(owner: ada, name: .standard)
    let theirs = ZoneID(owner: bob, name: .standard)
    #expect(plan(form(zone: own), zone: zone()) == .save)
    #expect(code(plan(form(zone: own))) == .zoneNotFound)
    #expect(code(plan(form(zone: own), zone: zone(isDeleted: true))) == .zoneNotFound)
    #expect(code(plan(form(zone: theirs), zone: zone(owner: bob))) == .zoneNotFound)
    #expect(code(plan(form(zone: own, database: .shared), zone: zone())) == .invalidArguments)
  }

  @Test func `quotas count the other subscriptions`() {
    typealias Usage = SubscriptionRows.Usage
    #expect(
      code(plan(form(), byteCount: Limits.subscriptionBytes + 1)) == .limitExceeded)
    let full = [
      Usage(count: Limits.subscriptionsPerAccount),
      Usage(accountBytes: Limits.subscriptionBytesPerAccount - 99),
      Usage(allBytes: BrokerLimits.subscriptionBytes - 99),
    ]
    for usage in full { #expect(code(plan(form(), usage: usage)) == .quotaExceeded) }
    let room = Usage(
      count: Limits.subscriptionsPerAccount - 1,
      accountBytes: Limits.subscriptionBytesPerAccount - 100,
      allBytes: BrokerLimits.subscriptionBytes - 100)
    #expect(plan(form(), usage: room) == .save)
  }
}
