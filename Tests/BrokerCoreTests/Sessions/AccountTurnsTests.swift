// Accounts take turns, so an account with many requests delays only itself.

import BrokerCore
import Testing

@Suite("I11 turns of accounts")
struct AccountTurnsTests {
  @Test func `an account with one request waits for one request of each other account`() {
    var turns = AccountTurns<String>()
    for number in 0..<3 { turns.add("a\(number)", of: 1) }
    for number in 0..<2 { turns.add("b\(number)", of: 2) }
    turns.add("c0", of: 3)
    var order: [String] = []
    while let next = turns.next() { order.append(next) }
    #expect(order == ["a0", "b0", "c0", "a1", "b1", "a2"])
    turns.add("a3", of: 1)
    #expect(turns.next() == "a3" && turns.next() == nil)
  }

  @Test func `requests that are put back come first, in their order`() {
    var turns = AccountTurns<String>()
    for number in 0..<3 { turns.add("a\(number)", of: 1) }
    turns.add("b0", of: 2)
    var taken: [(account: StoreKey, work: String)] = []
    while let next = turns.next() { taken.append((next.hasPrefix("a") ? 1 : 2, next)) }
    #expect(taken.map(\.work) == ["a0", "b0", "a1", "a2"])
    turns.add("c0", of: 3)
    turns.add("a3", of: 1)
    turns.putBack(Array(taken.dropFirst(2)))
    var order: [String] = []
    while let next = turns.next() { order.append(next) }
    #expect(order == ["a1", "c0", "a2", "a3"])
  }

  @Test func `an excluded account comes after the others, and is not excluded alone`() {
    var turns = AccountTurns<String>()
    for work in ["a0", "a1"] { turns.add(work, of: 1) }
    for work in ["b0", "b1"] { turns.add(work, of: 2) }
    var order: [String] = []
    while let next = turns.next(excluding: 1) { order.append(next) }
    #expect(order == ["b0", "b1"])
    turns.add("b2", of: 2)
    while let next = turns.next(excluding: nil) { order.append(next) }
    #expect(order == ["b0", "b1", "a0", "b2", "a1"])
  }

  @Test func `an account has competition only if another account has requests`() {
    var turns = AccountTurns<String>()
    #expect(!turns.hasWork(excluding: 1))
    turns.add("a", of: 1)
    #expect(!turns.hasWork(excluding: 1) && turns.hasWork(excluding: 2))
    turns.add("b", of: 2)
    #expect(turns.hasWork(excluding: 1) && turns.hasWork(excluding: 3))
  }

  @Test func `a thousand requests of one account keep their order`() {
    var turns = AccountTurns<Int>()
    for number in 0..<1000 { turns.add(number, of: 1) }
    var order: [Int] = []
    while let next = turns.next() {
      order.append(next)
      if next % 10 == 0, next < 1000 { turns.add(1000 + next, of: 1) }
    }
    #expect(order == Array(0..<1000) + stride(from: 1000, to: 2000, by: 10))
  }

  @Test(.timeLimit(.minutes(1)))
  func `three hundred thousand requests keep their order, at constant cost each`() {
    var turns = AccountTurns<Int>()
    for number in 0..<300_000 { turns.add(number, of: StoreKey(number % 3)) }
    var taken = 0
    while let next = turns.next() {
      guard next == taken else {
        Issue.record("\(next) came in the place of \(taken)")
        return
      }
      taken += 1
    }
    #expect(taken == 300_000)
  }
}
