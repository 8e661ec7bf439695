import Records
import SyncCore
import Testing

@testable import BrokerClient

@Suite("K3 request numbers")
struct OutboxTests {
  private var outbox = Outbox(DeviceIdentity(name: "laptop"))
  private var conversation = Conversation(pace: .relaxed)
  private var generator = SystemRandomNumberGenerator()

  @Test mutating func `numbers continue after the broker's last one, without gaps`() {
    add(calls: 1...3)
    connect(lastNumber: 7)
    #expect(send().map(\.number) == [8, 9, 10])
    #expect(end(8) == .ended(call: 1))
    #expect(outbox.acknowledged == RequestNumber(8))
    #expect(end(8) == .known)
    #expect(end(10) == .outOfOrder)
  }

  @Test mutating func `after a lost connection the same requests have the same numbers`() {
    add(calls: 1...2)
    connect(lastNumber: 0)
    let first = send()
    connect(lastNumber: 1)
    let again = send()
    #expect(again.map(\.number) == first.map(\.number) && again.map(\.title) == ["1", "2"])
  }

  @Test mutating func `a restored broker receives the requests that it lost, renumbered`() {
    add(calls: 1...3)
    connect(lastNumber: 5)
    _ = send()
    _ = end(6)
    connect(lastNumber: 2)
    #expect(outbox.acknowledged == RequestNumber(2))
    let again = send()
    #expect(again.map(\.number) == [3, 4] && again.map(\.title) == ["2", "3"])
    #expect(end(3) == .ended(call: 2))
  }

  // The numbers of requests that never arrived were saved, and the requests are gone.
  @Test mutating func `a program that was restarted continues after the broker's last number`() {
    var identity = DeviceIdentity(name: "laptop")
    identity.lastNumber = 5
    identity.acknowledged = 3
    outbox = Outbox(identity)
    add(calls: 1...1)
    connect(lastNumber: 3)
    #expect(send().map(\.number) == [4])
  }

  @Test mutating func `requests after a refused one move up by one number`() {
    add(calls: 1...3)
    connect(lastNumber: 0)
    let first = send()
    guard case .rejected(call: 1) = refuse(first[0].id, .invalidArguments) else {
      Issue.record("The request is not rejected.")
      return
    }
    let again = send()
    #expect(again.map(\.number) == [1, 2] && again.map(\.title) == ["2", "3"])
  }

  // The restart leaves a gap between the acknowledged number and the first request, and the restore loses that request.
  @Test(arguments: [2, 4, 6] as [Int64])
  mutating func `a program that was restarted survives a restored broker`(_ lastNumber: Int64) {
    var identity = DeviceIdentity(name: "laptop")
    identity.lastNumber = 7
    identity.acknowledged = 4
    outbox = Outbox(identity)
    add(calls: 1...1)
    connect(lastNumber: 7)
    #expect(send().map(\.number) == [8])
    connect(lastNumber: lastNumber)
    #expect(send().map(\.number) == [lastNumber + 1])
    #expect(end(lastNumber + 1) == .ended(call: 1))
  }

  // The call has failed, so its request must not take effect later.
  @Test mutating func `a request of a device that the broker does not know is not sent again`() {
    add(calls: 1...2)
    connect(lastNumber: 0)
    let first = send()
    #expect(refuse(first[0].id, .notAuthenticated) == .notAuthenticated)
    let isWithdrawn = outbox.withdraw(call: 2)
    #expect(isWithdrawn && outbox.isEmpty)
  }

  @Test mutating func `requests of failed calls are not sent on the next connection`() {
    add(calls: 1...3)
    connect(lastNumber: 0)
    _ = send()
    _ = end(1)
    outbox.removeAll()
    add(calls: 4...4)
    // The broker has applied the second one before.
    connect(lastNumber: 2)
    let again = send()
    #expect(again.map(\.number) == [3] && again.map(\.title) == ["4"])
  }

  @Test mutating func `a postponed request holds back all later ones, in order`() {
    add(calls: 1...3)
    connect(lastNumber: 0)
    let first = send()
    _ = end(1)
    guard case .postponed = refuse(first[1].id, .serviceUnavailable) else {
      Issue.record("The request is not postponed.")
      return
    }
    // The broker refuses the later one for the same reason; that answer is ignored.
    #expect(refuse(first[2].id, .serviceUnavailable) == nil)
    #expect(send().isEmpty)
    outbox.resume()
    #expect(send().map(\.number) == [2, 3])
  }

  @Test mutating func `requests in flight have a limit, and a sent request cannot be withdrawn`() {
    add(calls: 1...100)
    connect(lastNumber: 0)
    #expect(send().count == Limits.requestsInFlight)
    let first = outbox.withdraw(call: 1)
    let last = outbox.withdraw(call: 100)
    #expect(!first && last && outbox.isNumbered(call: 1))
    outbox.resetForNewDevice()
    #expect(send().first?.number == 1)
  }

  @Test mutating func `another program with the same identity is noticed`() {
    add(calls: 1...1)
    connect(lastNumber: 0)
    let error = RecordsError(.constraintViolation, "Another device.", reason: "clonedDevice")
    guard case .clonedDevice = outbox.refused(error, replyTo: send()[0].id, using: &generator)
    else {
      Issue.record("The copy is not noticed.")
      return
    }
  }

  // MARK: -

  private mutating func add(calls: ClosedRange<UInt64>) {
    for call in calls {
      outbox.add(
        [OperationGroup(zone: .standard, operations: [.saveZone(title: "\(call)")])], call: call)
    }
  }

  private mutating func connect(lastNumber: Int64) {
    outbox.disconnected()
    _ = conversation.ended(because: nil, using: &generator)
    _ = conversation.begin()
    _ = conversation.opened()
    let welcome = Welcome(
      version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
      lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 600)
    _ = conversation.welcomed(welcome)
    outbox.welcomed(lastNumber: welcome.lastNumber)
  }

  private mutating func send() -> [(id: UInt64, number: Int64, title: String)] {
    outbox.send(in: &conversation).map { id, request in
      guard case .saveZone(let title, _) = request.groups[0].operations[0] else {
        return (id, request.number.value, "")
      }
      return (id, request.number.value, title)
    }
  }

  private mutating func end(_ number: Int64) -> Outbox.Ending {
    outbox.ended(RequestNumber(number))
  }

  private mutating func refuse(_ id: UInt64, _ code: RecordsError.Code) -> Outbox.Refusal? {
    outbox.refused(RecordsError(code, "No."), replyTo: id, using: &generator)
  }
}
