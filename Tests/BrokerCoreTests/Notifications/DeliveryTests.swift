// The delivery of a device's notifications to one connection: when pages are read, and which are sent.

import BrokerCore
import Records
import Testing

@Suite("B2, I18 delivery")
struct DeliveryTests {
  private var delivery = Delivery(
    NotificationStart(
      receiver: 5, position: NotificationNumber(10), predecessor: NotificationNumber(9)))

  private func number(_ value: Int64) -> NotificationNumber { NotificationNumber(value) }

  private func batch(
    _ numbers: [Int64], through: Int64, _ end: NotificationBatch.End = .caughtUp
  ) -> NotificationBatch {
    NotificationBatch(
      notifications: numbers.map { value in
        ChangeNotification(
          number: number(value), predecessor: .none, database: .private,
          record: RecordID(zone: .standard, name: RecordName(stored: "a")),
          type: RecordType(stored: "Contact"), tag: Revision(1), modified: stamp(), firings: [])
      }, collapsed: [], through: number(through), end: end)
  }

  @Test
  mutating func `unsent entries are released while collapsing, once nothing is unacknowledged`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.accept(batch([20], through: 50, .collapsing))
    #expect(delivery.releaseUnreadable() == nil, "a notification is not acknowledged")
    #expect(delivery.acknowledge(number(20)) == number(20))
    #expect(delivery.releaseUnreadable() == number(50), "entries above 20 were not sent")
    #expect(delivery.releaseUnreadable() == nil, "nothing changed since the last call")
    delivery.retry()
    #expect(delivery.nextRead(of: identity)?.after == number(50))
    _ = delivery.accept(batch([], through: 70))
    #expect(delivery.releaseUnreadable() == nil, "nothing is being collapsed")
  }

  @Test mutating func `a page is read again if the account lost a permission meanwhile`() {
    delivery.invalidateRead()
    let read = delivery.nextRead(of: identity)
    #expect(read != nil)
    delivery.invalidateRead()
    #expect(delivery.accept(batch([11], through: 20)) == nil)
    #expect(delivery.nextRead(of: identity) == read)
    #expect(delivery.accept(batch([12], through: 20))?.notifications.map(\.number) == [number(12)])
  }

  @Test mutating func `the first page starts at the device's position and reports caught up`() {
    let read = delivery.nextRead(of: identity)
    #expect(read?.after == number(10) && read?.predecessor == number(9))
    #expect(delivery.nextRead(of: identity) == nil, "one page at a time")
    let page = delivery.accept(batch([], through: 20))
    #expect(page?.isLevel == true && page?.notifications.isEmpty == true)
    #expect(delivery.nextRead(of: identity) == nil)
  }

  @Test
  mutating func `the next page is read after a relevant commit and starts after the last one`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.accept(batch([15], through: 20))
    delivery.committed(number(18))
    #expect(delivery.nextRead(of: identity) == nil, "the last page covered it")
    delivery.committed(number(21))
    let read = delivery.nextRead(of: identity)
    #expect(read?.after == number(20) && read?.predecessor == number(15))
  }

  @Test mutating func `a commit while a page is read defers the caught-up report`() {
    _ = delivery.nextRead(of: identity)
    delivery.committed(number(21))
    #expect(delivery.accept(batch([15], through: 20))?.isLevel == false)
    _ = delivery.nextRead(of: identity)
    #expect(delivery.accept(batch([21], through: 21))?.isLevel == true)
  }

  @Test mutating func `an empty page is not sent twice`() {
    _ = delivery.nextRead(of: identity)
    _ = delivery.accept(batch([], through: 20))
    delivery.committed(number(21))
    _ = delivery.nextRead(of: identity)
    #expect(delivery.accept(batch([], through: 21)) == nil)
  }

  @Test mutating func `reading stops at the limit and resumes after an acknowledgment`() {
    var sent: Int64 = 0
    while delivery.nextRead(of: identity) != nil {
      let numbers = (sent + 11..<sent + 75).map { $0 }
      _ = delivery.accept(batch(numbers, through: sent + 74, .more))
      sent += 64
    }
    #expect(sent == Int64(Limits.unacknowledgedNotifications))
    #expect(delivery.acknowledge(number(5)) == nil, "precedes all notifications sent")
    #expect(delivery.acknowledge(number(12)) == number(12))
    #expect(delivery.nextRead(of: identity) != nil)
    #expect(delivery.acknowledge(number(12)) == nil, "acknowledged before")
    #expect(
      delivery.acknowledge(number(1 << 40)) == number(sent + 10), "limited to notifications sent")
  }

  @Test mutating func `nothing is read while later notifications are being collapsed`() {
    _ = delivery.nextRead(of: identity)
    #expect(delivery.accept(batch([15], through: 15, .collapsing))?.isLevel == false)
    delivery.committed(number(30))
    #expect(delivery.nextRead(of: identity) == nil)
    delivery.retry()
    #expect(delivery.nextRead(of: identity)?.after == number(15))
  }

  @Test mutating func `a page that could not be read is read again after retry`() {
    let read = delivery.nextRead(of: identity)
    delivery.readFailed()
    #expect(delivery.nextRead(of: identity) == nil)
    delivery.retry()
    #expect(delivery.nextRead(of: identity) == read)
  }
}
