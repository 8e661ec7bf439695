// Whoever asks much waits behind itself.

import BrokerCore
import Testing

@Suite("I11 turns of accounts")
struct AccountTurnsTests {
  @Test func `one that asks once comes behind one piece of work of each other`() {
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
}
