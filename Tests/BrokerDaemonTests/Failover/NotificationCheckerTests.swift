import Testing

@Suite("The checker of notifications") struct NotificationCheckerTests {
  /// A history of two devices of the accounts 0 and 1, of which the second one follows its notifications of zone 0.
  private func problems(_ events: [FailoverHistory.Event]) -> [String] {
    var history = FailoverHistory(accounts: [0, 1])
    history.add(.following(device: 1))
    for event in events { history.add(event) }
    return NotificationChecker.problems(of: history, members: [0: [0, 1]])
  }

  private func id(_ request: Int64, by device: Int = 0) -> FailoverHistory.WriteID {
    FailoverHistory.WriteID(device: device, request: request, zone: 0, record: "a")
  }

  /// The events of a write that got a revision.
  private func write(_ tag: Int64, by device: Int = 0) -> [FailoverHistory.Event] {
    let write = FailoverHistory.Write(
      id: id(tag, by: device), kind: .save("\(tag)", after: .any))
    return [.sent(write), .answered(write.id, .committed(tag))]
  }

  private func notice(
    _ number: Int64, after predecessor: Int64, of tag: Int64, record: String = "a"
  ) -> FailoverHistory.Event {
    .notified(
      device: 1,
      FailoverHistory.Notice(
        number: number, predecessor: predecessor, zone: 0, record: record, tag: tag))
  }

  @Test func `one notification for each change of another device is right`() {
    let events =
      write(1) + write(2, by: 1) + write(3)
      + [notice(10, after: 0, of: 1), notice(12, after: 10, of: 3)]
    #expect(problems(events) == [])
  }

  @Test func `a notification that is missing, that comes twice or without another one is found`() {
    #expect(problems(write(1)).count == 1)
    let twice = write(1) + [notice(10, after: 0, of: 1), notice(11, after: 10, of: 1)]
    #expect(problems(twice).count == 1)
    #expect(problems(write(1) + [notice(11, after: 10, of: 1)]).count == 1)
  }

  @Test func `a notification of nothing that was written, or of an own change, is found`() {
    #expect(problems([notice(10, after: 0, of: 1)]).count == 1)
    #expect(problems(write(1) + [notice(10, after: 0, of: 1, record: "b")]).count == 1)
    #expect(problems(write(1, by: 1) + [notice(10, after: 0, of: 1)]).count == 1)
  }

  @Test func `a removed account need not be notified, and of no later change`() {
    let removal: [FailoverHistory.Event] = [
      .removing(account: 1, zone: 0), .removed(account: 1, zone: 0),
    ]
    #expect(problems(write(1) + removal + write(2) + [notice(10, after: 0, of: 1)]) == [])
    #expect(problems(removal + write(1) + [notice(10, after: 0, of: 1)]).count == 1)
  }

  @Test func `a collapsed notification stands for any number of changes`() {
    #expect(problems(write(1) + write(2) + [.collapsed(device: 1, last: 11)]) == [])
  }
}
