import Records
import Testing

@Suite("I5 tokens and requests")
struct MessagesTests {
  @Test(arguments: [(5, true), (4, false), (10, true)] as [(Int64, Bool)])
  func `a token expires when a tombstone that it needs is removed`(
    reaped: Int64, isExpired: Bool
  ) {
    let token = ChangeToken(
      incarnation: Incarnation(1), revision: Revision(4), scanStart: Revision(2))
    #expect(token.isExpired(expiredThrough: Revision(reaped)) == isExpired)
  }

  @Test func `tombstones from before the first scan do not expire a token`() {
    let token = ChangeToken(
      incarnation: Incarnation(1), revision: Revision(4), scanStart: Revision(20))
    #expect(!token.isExpired(expiredThrough: Revision(20)))
    #expect(token.isExpired(expiredThrough: Revision(21)))
  }

  @Test func `a request's fingerprint covers everything but its number`() {
    func request(number: Int64 = 1, title: String = "a", owner: UInt128 = 0) -> ModifyRequest {
      ModifyRequest(
        number: RequestNumber(number), acknowledged: .zero,
        groups: [
          OperationGroup(
            zone: ZoneID(owner: AccountID(owner), name: ZoneName(1)),
            operations: [.saveZone(title: title), .deleteZone()])
        ])
    }
    #expect(request().fingerprint == request(number: 2).fingerprint)
    #expect(request().fingerprint != request(title: "b").fingerprint)
    #expect(request().fingerprint != request(owner: 1).fingerprint)
    #expect(request().operationCount == 2)
  }

  @Test func `a move changes a request's fingerprint, and without one it is unchanged`() {
    func request(_ move: MoveID?) -> ModifyRequest {
      let delete = Operation.Delete(name: RecordName(stored: "a"), tag: Revision(1), move: move)
      return ModifyRequest(
        number: RequestNumber(1), acknowledged: .zero,
        groups: [OperationGroup(zone: .standard, operations: [.delete(delete)])])
    }
    #expect(request(MoveID(7)).fingerprint != request(nil).fingerprint)
    #expect(request(MoveID(7)).fingerprint != request(MoveID(8)).fingerprint)
    // The value never changes, so that an upgraded device with this request in flight is no clone.
    #expect(String(request(nil).fingerprint, radix: 16) == "d69f4f584da2101005a9cff39b9758e0")
  }

  @Test func `only errors that used no request number are transient`() {
    let transient = RecordsError.Code.allCases.filter(\.isTransient)
    #expect(
      Set(transient) == [.networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy])
  }
}
