import BrokerLinks
import Testing

@Suite("R4 changes of the network")
struct NetworkComparisonTests {
  private let home = NetworkState(addresses: [.init(interface: "eth0", text: "192.0.2.7")])
  private let train = NetworkState(addresses: [.init(interface: "wlan0", text: "198.51.100.7")])
  private let away = NetworkState(addresses: [])

  /// Which of `states`, seen one after the other, begin a report.
  private func reports(of states: [NetworkState], by comparison: inout NetworkComparison) -> [Bool]
  {
    states.map { comparison.look(at: $0) }
  }

  @Test func `a network that is what it was is not reported`() {
    var comparison = NetworkComparison(home)
    #expect(reports(of: [home, home], by: &comparison) == [false, false])
  }

  @Test func `a network that changes often before it settles is reported once`() {
    var comparison = NetworkComparison(away)
    #expect(reports(of: [train, away, home], by: &comparison) == [true, false, false])
    comparison.reported()
    #expect(reports(of: [home, train], by: &comparison) == [false, true])
  }

  // A device connects before the network has settled, and the network goes away again: without the report, only
  // missing heartbeats would tell.
  @Test func `a network that comes and goes before it settles is reported`() {
    var comparison = NetworkComparison(away)
    #expect(reports(of: [home, away], by: &comparison) == [true, false])
    comparison.reported()
    #expect(reports(of: [home], by: &comparison) == [true])
  }
}
