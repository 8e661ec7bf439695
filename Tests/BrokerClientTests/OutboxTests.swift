import Records
import Testing

@testable import BrokerClient

@Suite("K3 request numbers")
struct OutboxTests {
  @Test func `numbers continue after the broker's last one, without gaps`() {
    var outbox = outbox(calls: 3)
    outbox.welcomed(lastNumber: RequestNumber(7))
    #expect(sent(&outbox).map(\.number.value) == [8, 9, 10])
    outbox.answered(call: 1)
    #expect(outbox.acknowledged == RequestNumber(8))
    outbox.answered(call: 3)
    #expect(outbox.acknowledged == RequestNumber(8))
    outbox.answered(call: 2)
    #expect(outbox.acknowledged == RequestNumber(10))
  }

  @Test func `after a lost connection the same requests have the same numbers`() {
    var outbox = outbox(calls: 2)
    outbox.welcomed(lastNumber: .zero)
    let first = sent(&outbox)
    outbox.welcomed(lastNumber: RequestNumber(1))
    #expect(sent(&outbox) == first)
  }

  @Test func `a restored broker receives the requests that it lost, renumbered`() {
    var outbox = outbox(calls: 3)
    outbox.welcomed(lastNumber: RequestNumber(5))
    _ = sent(&outbox)
    outbox.answered(call: 1)
    outbox.welcomed(lastNumber: RequestNumber(2))
    #expect(outbox.acknowledged == RequestNumber(2))
    #expect(sent(&outbox).map(\.number.value) == [3, 4])
  }

  @Test func `requests after a refused one move up by one number`() {
    var outbox = outbox(calls: 3)
    outbox.welcomed(lastNumber: .zero)
    _ = sent(&outbox)
    outbox.refused(call: 1)
    #expect(sent(&outbox).map(\.number.value) == [1, 2])
  }

  @Test func `a postponed request holds back all later ones, in order`() {
    var outbox = outbox(calls: 3)
    outbox.welcomed(lastNumber: .zero)
    _ = sent(&outbox)
    outbox.answered(call: 1)
    #expect(outbox.postpone(call: 2) == [2, 3])
    #expect(sent(&outbox).isEmpty)
    outbox.resume()
    #expect(sent(&outbox).map(\.number.value) == [2, 3])
  }

  @Test func `requests in flight have a limit, and a sent request cannot be withdrawn`() {
    var outbox = outbox(calls: 100)
    outbox.welcomed(lastNumber: .zero)
    #expect(sent(&outbox).count == Limits.requestsInFlight)
    let first = outbox.withdraw(call: 1)
    let last = outbox.withdraw(call: 100)
    #expect(!first && last)
    outbox.resetForNewDevice()
    #expect(sent(&outbox).first?.number == RequestNumber(1))
  }

  private func outbox(calls: UInt64) -> Outbox {
    var outbox = Outbox(DeviceIdentity(name: "laptop"))
    for call in 1...calls {
      outbox.add(
        [OperationGroup(zone: .standard, operations: [.saveZone(title: "\(call)")])], call: call)
    }
    return outbox
  }

  private func sent(_ outbox: inout Outbox) -> [ModifyRequest] {
    var requests: [ModifyRequest] = []
    while let next = outbox.next() { requests.append(next.request) }
    return requests
  }
}
