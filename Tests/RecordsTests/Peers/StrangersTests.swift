import Records
import Testing

@Suite("R6 connections that have not signed in")
struct StrangersTests {
  private func network(_ number: Int) -> RemoteNetwork {
    RemoteNetwork(ipv4: [10, 0, UInt8(number >> 8), UInt8(number & 255)])
  }

  /// Adds a connection and ends the one that has to go.
  private func add(_ number: Int, from network: Int, to strangers: inout Strangers<Int>) -> Int? {
    guard let excess = strangers.add(number, from: self.network(network)) else {
      return nil
    }
    strangers.remove(excess)
    return excess
  }

  @Test func `the oldest connection of a network ends when it has too many`() {
    var strangers = Strangers<Int>(perNetworkMaximum: 64, maximum: 1024)
    for number in 0..<64 { #expect(add(number, from: 1, to: &strangers) == nil) }
    #expect(add(64, from: 2, to: &strangers) == nil)
    #expect(add(65, from: 1, to: &strangers) == 0)
    #expect(add(66, from: 1, to: &strangers) == 1)
  }

  @Test func `the oldest of all ends when there are too many`() {
    var strangers = Strangers<Int>(perNetworkMaximum: 64, maximum: 1024)
    for number in 0..<1024 { #expect(add(number, from: number, to: &strangers) == nil) }
    #expect(add(1024, from: 2000, to: &strangers) == 0)
    #expect(add(1025, from: 2001, to: &strangers) == 1)
  }

  @Test func `those that signed in or left no longer count`() {
    var strangers = Strangers<Int>(perNetworkMaximum: 64, maximum: 1024)
    for number in 0..<10_000 {
      #expect(add(number, from: number % 3, to: &strangers) == nil)
      strangers.remove(number)
    }
    #expect(add(10_000, from: 1, to: &strangers) == nil)
  }
}
