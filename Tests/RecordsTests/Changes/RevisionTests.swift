import Records
import Testing

@Suite("I5 revisions, tokens and former histories")
struct RevisionTests {
  @Test func `revisions and request numbers are ordered as their numbers`() {
    for left in -1...3 as ClosedRange<Int64> {
      for right in -1...3 as ClosedRange<Int64> {
        #expect((Revision(left) < Revision(right)) == (left < right))
        #expect((RequestNumber(left) < RequestNumber(right)) == (left < right))
        #expect((Revision(left) == Revision(right)) == (left == right))
        guard left >= 0, right >= 0 else { continue }
        #expect((NotificationNumber(left) < NotificationNumber(right)) == (left < right))
      }
    }
    #expect(Revision.zero.next == Revision(1))
    #expect(RequestNumber.zero.next.next == RequestNumber(2))
    #expect(NotificationNumber.none == NotificationNumber(0))
    #expect("\(Revision(-7)) \(RequestNumber(7))" == "-7 7")
  }

  @Test func `a token is valid while it needs no tombstone that was removed`() {
    for revision in 0..<5 as Range<Int64> {
      for scanStart in 0..<5 as Range<Int64> {
        let token = ChangeToken(
          incarnation: Incarnation(1), revision: Revision(revision),
          scanStart: Revision(scanStart))
        for expired in 0..<6 as Range<Int64> {
          // The device still needs the tombstones above what it has read and above its scan's start.
          let needed = (0...10 as ClosedRange<Int64>).filter { $0 > revision && $0 > scanStart }
          let isLost = needed.contains { $0 <= expired }
          #expect(token.isExpired(expiredThrough: Revision(expired)) == isLost)
        }
      }
    }
  }
}
