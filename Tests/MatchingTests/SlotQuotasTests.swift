import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 quotas of slots")
struct SlotQuotasTests {
  private let free = 65_000

  private func account(_ number: Int) -> AccountID { AccountID(UInt128(number)) }

  @Test func `only the accounts of new subscriptions have a limit`() {
    let quotas = SlotQuotas()
    #expect(quotas.allowance(of: .none, freeCount: free) == .max)
    #expect(quotas.allowance(of: .accepted(account(1)), freeCount: free) == .max)
    #expect(quotas.allowance(of: .account(account(1)), freeCount: free) == 1000)
    #expect(quotas.allowance(of: .account(account(1)), freeCount: 0) == 0)
    guard case .none = SlotCharge(nil, wasAccepted: true) else {
      Issue.record("a subscription without an account is charged")
      return
    }
  }

  @Test func `an account that uses its allowance has none left, whatever the others have`() {
    var quotas = SlotQuotas()
    var free = free
    var (slot, last) = (UInt16(256), Int.max)
    for number in 1...50 {
      let charge = SlotCharge(account(number), wasAccepted: false)
      let allowance = quotas.allowance(of: charge, freeCount: free)
      #expect(allowance > 0 && allowance <= last, "account \(number)")
      for _ in 0..<allowance {
        quotas.add(slot, to: charge)
        slot += 1
        free -= 1
      }
      #expect(quotas.allowance(of: charge, freeCount: free) == 0, "account \(number)")
      last = allowance
    }
    #expect(free > 20_000, "\(free)")
  }

  @Test func `a released slot is free for its account again, and low slots are not charged`() {
    var quotas = SlotQuotas()
    let charge = SlotCharge.account(account(1))
    let whole = quotas.allowance(of: charge, freeCount: free)
    for slot in UInt16(0)..<256 { quotas.add(slot, to: charge) }
    #expect(quotas.allowance(of: charge, freeCount: free) == whole)
    for slot in UInt16(256)..<456 { quotas.add(slot, to: .accepted(account(1))) }
    let less = quotas.allowance(of: charge, freeCount: free)
    #expect(less < whole - 190, "slots of accepted subscriptions count")
    for slot in UInt16(256)..<456 { quotas.remove(slot) }
    quotas.remove(9999)
    #expect(quotas.allowance(of: charge, freeCount: free) == whole)
  }
}
