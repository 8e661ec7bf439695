import BrokerCore
import Records
import Testing

@Suite("leases of maintenance jobs")
struct JobLeasesTests {
  private let one = BrokerProcessID(1)
  private let two = BrokerProcessID(2)

  private func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

  @Test func `one broker at a time holds a job's lease, and each job has its own`() {
    var leases = JobLeases()
    let has1 = leases.acquire(.history, for: one, at: time(0))
    #expect(has1)
    let has2 = leases.acquire(.history, for: two, at: time(1))
    #expect(!has2)
    let has3 = leases.acquire(.assets, for: two, at: time(1))
    #expect(has3)
  }

  @Test func `a lease runs from the last step`() {
    var leases = JobLeases()
    let has4 = leases.acquire(.history, for: one, at: time(0))
    #expect(has4)
    let has5 = leases.acquire(.history, for: one, at: time(20))
    #expect(has5)
    let has6 = leases.acquire(.history, for: two, at: time(20 + JobLeases.seconds - 1))
    #expect(!has6)
    let has7 = leases.acquire(.history, for: two, at: time(20 + JobLeases.seconds))
    #expect(has7)
    let has8 = leases.acquire(.history, for: one, at: time(20 + JobLeases.seconds))
    #expect(!has8)
  }

  @Test func `a finished job is free, and only its holder can release it`() {
    var leases = JobLeases()
    let has9 = leases.acquire(.history, for: one, at: time(0))
    #expect(has9)
    leases.release(.history, by: two)
    let has10 = leases.acquire(.history, for: two, at: time(1))
    #expect(!has10)
    leases.release(.history, by: one)
    let has11 = leases.acquire(.history, for: two, at: time(1))
    #expect(has11)
  }
}
