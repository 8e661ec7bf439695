// Where a connection stands in its device's notifications: what is read when, what is sent, and what
// is never sent ahead of.

import BrokerCore
import Records
import Testing

@Suite("B2, I18 delivery")
struct DeliveryTests {
  private var delivery = Delivery(
    NotificationStart(
      receiver: 5, position: NotificationNumber(10), predecessor: NotificationNumber(9)))

  private func number(_ value: Int64) -> NotificationNumber { NotificationNumber(value) }

  private func stretch(
    _ numbers: [Int64], through: Int64, _ end: NotificationBatch.End = .level
  ) -> NotificationBatch {
    NotificationBatch(
      notifications: numbers.map { value in
        ChangeNotification(
          number: number(value), predecessor: .none, database: .private,
          record: RecordID(zone: .standard, name: RecordName(stored: "a")),
          type: RecordType(stored: "Contact"), tag: Revision(1), modified: stamp(), firings: [])
      }, collapsed: [], through: number(through), end: end)
  }

  @Test mutating func `while it is folding, all it was sent being acknowledged, it makes room`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.took(stretch([20], through: 50, .folding))
    #expect(delivery.pass() == nil, "something is not acknowledged")
    #expect(delivery.acknowledge(number(20)) == number(20))
    #expect(delivery.pass() == number(50), "what is above 20 could not be sent")
    #expect(delivery.pass() == nil, "it is no news")
    delivery.lookAgain()
    #expect(delivery.nextRead(of: identity)?.after == number(50))
    _ = delivery.took(stretch([], through: 70))
    #expect(delivery.pass() == nil, "nothing is folded")
  }

  @Test mutating func `a page that was being read when a right was lost is read again`() {
    delivery.distrustRead()
    let read = delivery.nextRead(of: identity)
    #expect(read != nil)
    delivery.distrustRead()
    #expect(delivery.took(stretch([11], through: 20)) == nil)
    #expect(delivery.nextRead(of: identity) == read)
    #expect(delivery.took(stretch([12], through: 20))?.notifications.map(\.number) == [number(12)])
  }

  @Test mutating func `it reads at once from where the device stands, and says level`() {
    let read = delivery.nextRead(of: identity)
    #expect(read?.after == number(10) && read?.predecessor == number(9))
    #expect(delivery.nextRead(of: identity) == nil, "one page at a time")
    let page = delivery.took(stretch([], through: 20))
    #expect(page?.isLevel == true && page?.notifications.isEmpty == true)
    #expect(delivery.nextRead(of: identity) == nil)
  }

  @Test
  mutating func `it reads again only when something concerns it, and then behind what it saw`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.took(stretch([15], through: 20))
    delivery.concerns(number(18))
    #expect(delivery.nextRead(of: identity) == nil, "that was read already")
    delivery.concerns(number(21))
    let read = delivery.nextRead(of: identity)
    #expect(read?.after == number(20) && read?.predecessor == number(15))
  }

  @Test mutating func `what is told while a page is read keeps it from being level`() {
    _ = delivery.nextRead(of: identity)
    delivery.concerns(number(21))
    #expect(delivery.took(stretch([15], through: 20))?.isLevel == false)
    _ = delivery.nextRead(of: identity)
    #expect(delivery.took(stretch([21], through: 21))?.isLevel == true)
  }

  @Test mutating func `an empty page is not sent twice`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.took(stretch([], through: 20))
    delivery.concerns(number(21))
    _ = delivery.nextRead(of: identity)
    #expect(delivery.took(stretch([], through: 21)) == nil)
  }

  @Test mutating func `no more is sent than may be unacknowledged, and acknowledging goes on`() {
    var sent: Int64 = 0
    while delivery.nextRead(of: identity) != nil {
      let numbers = (sent + 11..<sent + 75).map { $0 }
      _ = delivery.took(stretch(numbers, through: sent + 74, .more))
      sent += 64
    }
    #expect(sent == Int64(Limits.unacknowledgedNotifications))
    #expect(delivery.acknowledge(number(5)) == nil, "before all that was sent")
    #expect(delivery.acknowledge(number(12)) == number(12))
    #expect(delivery.nextRead(of: identity) != nil)
    #expect(delivery.acknowledge(number(12)) == nil, "said before")
    #expect(
      delivery.acknowledge(number(1 << 40)) == number(sent + 10), "never beyond what was sent")
  }

  @Test mutating func `while what is above is folded nothing is read, until that has ended`() {
    _ = delivery.nextRead(of: identity)
    #expect(delivery.took(stretch([15], through: 15, .folding))?.isLevel == false)
    delivery.concerns(number(30))
    #expect(delivery.nextRead(of: identity) == nil)
    delivery.lookAgain()
    #expect(delivery.nextRead(of: identity)?.after == number(15))
  }

  @Test mutating func `a page that could not be read is tried again when asked`() {
    let read = delivery.nextRead(of: identity)
    delivery.readFailed()
    #expect(delivery.nextRead(of: identity) == nil)
    delivery.lookAgain()
    #expect(delivery.nextRead(of: identity) == read)
  }
}
