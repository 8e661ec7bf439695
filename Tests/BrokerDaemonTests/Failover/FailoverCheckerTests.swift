import Testing

@Suite("the checker of histories of several brokers")
struct FailoverCheckerTests {
  /// A history of three devices of two accounts and one zone.
  private struct Story {
    var history = FailoverHistory(accounts: [0, 1, 0])
    private var requests: [Int: Int64] = [:]

    /// Sends a write, and answers it with a revision.
    @discardableResult
    mutating func write(
      _ record: String, after: FailoverHistory.Precondition = .absent, deletes: Bool = false,
      by device: Int = 0, at tag: Int64?
    ) -> FailoverHistory.Tagged {
      let write = send(record, after: after, deletes: deletes, by: device)
      if let tag { history.add(.answered(write.id, .committed(tag))) }
      return FailoverHistory.Tagged(tag: tag ?? 0, state: write.state)
    }

    mutating func send(
      _ record: String, after: FailoverHistory.Precondition = .absent, deletes: Bool = false,
      by device: Int = 0
    ) -> FailoverHistory.Write {
      requests[device, default: 0] += 1
      let request = requests[device] ?? 0
      let write = FailoverHistory.Write(
        id: FailoverHistory.WriteID(device: device, request: request, zone: 0, record: record),
        kind: deletes ? .deletion(after: after) : .save("\(device)-\(request)", after: after))
      history.add(.sent(write))
      return write
    }

    mutating func read(
      _ states: [FailoverHistory.Tagged], from: Int64 = 0, to: Int64, isLive: Bool = true,
      by device: Int = 1
    ) {
      let page = FailoverHistory.Page(
        zone: 0, from: from, to: to, isLive: isLive, states: states)
      history.add(.read(device: device, page))
    }

    /// Reads the zone through a broker at the end.
    mutating func end(_ states: [FailoverHistory.Tagged], head: Int64, broker: Int = 0) {
      history.add(.finalRead(broker: broker, zone: 0, head: head, states))
    }

    var problems: [String] { FailoverChecker.problems(of: history) }

    /// Whether there are problems, and all have this text.
    func hasOnly(_ text: String) -> Bool {
      !problems.isEmpty && problems.allSatisfy { $0.contains(text) }
    }
  }

  private var story = Story()

  @Test mutating func `a history without faults has no problems`() {
    let first = story.write("a", at: 1)
    story.history.add(.attached(device: 1, zone: 0))
    story.read([first], to: 1, isLive: false)
    story.history.add(.live(device: 1, zone: 0, head: 1))
    let second = story.write("a", after: .tag(1), by: 1, at: 2)
    let third = story.write("b", by: 2, at: 3)
    let fourth = story.write("a", after: .tag(2), deletes: true, at: 4)
    story.read([second, third, fourth], from: 1, to: 4)
    story.end([third], head: 4)
    #expect(story.problems == [])
  }

  @Test mutating func `an unknown write may have been done or not`() {
    story.write("a", at: nil)
    let second = story.write("b", at: 1)
    story.end([second], head: 1)
    #expect(story.problems == [])
  }

  @Test mutating func `an acknowledged write that a broker lacks is found`() {
    let first = story.write("a", at: 1)
    story.write("b", at: 2)
    story.end([first], head: 2)
    #expect(story.hasOnly("Broker 0 lacks b"))
  }

  @Test mutating func `a lost write at the end of a zone is found`() {
    let first = story.write("a", at: 1)
    story.write("a", after: .tag(1), at: 2)
    story.end([first], head: 1)
    #expect(story.problems.contains { $0.contains("has zone 0 at 1, not 2") })
  }

  @Test mutating func `a write that was done twice is found`() {
    let first = story.write("a", at: 1)
    let again = FailoverHistory.Tagged(tag: 2, state: first.state)
    story.read([first, again], to: 2)
    #expect(story.problems.contains { $0.contains("was done twice, at 1 and 2") })
  }

  @Test mutating func `a second answer that differs is found`() {
    let write = story.send("a")
    story.history.add(.answered(write.id, .committed(1)))
    story.history.add(.answered(write.id, .conflict))
    #expect(story.problems.contains { $0.contains("then conflict") })
  }

  @Test mutating func `a gap in a feed is found`() {
    let states = [story.write("a", at: 1), story.write("b", at: 2), story.write("c", at: 3)]
    story.read([states[0]], to: 1)
    story.read([states[2]], from: 2, to: 3)
    #expect(story.problems.contains { $0.contains("got zone 0 from 2, not 1") })
  }

  @Test mutating func `a gap in a commit is found`() {
    let states = [story.write("a", at: 1), story.write("b", at: 2)]
    story.read([states[0]], to: 2)
    #expect(story.problems.contains { $0.contains("zone 0 from 0 to 2 only through 1") })
  }

  @Test mutating func `a reordered feed is found`() {
    let states = [story.write("a", at: 1), story.write("b", at: 2)]
    story.read([states[1], states[0]], to: 2)
    #expect(story.hasOnly("got 1 of zone 0 after 2"))
  }

  @Test mutating func `a repeated part of a feed is found`() {
    let first = story.write("a", at: 1)
    story.read([first], to: 1)
    story.read([first], to: 1)
    #expect(story.hasOnly("got zone 0 from 0, not 1"))
  }

  @Test mutating func `a revision with two contents is found`() {
    story.write("a", at: 1)
    let other = story.send("b", by: 2)
    story.read([FailoverHistory.Tagged(tag: 1, state: other.state)], to: 1)
    #expect(story.problems.contains { $0.contains("Revision 1 of zone 0 is") })
  }

  @Test mutating func `a content that no device wrote is found`() {
    let write = story.send("a")
    let state = FailoverHistory.State(write: write.id, value: "other")
    story.read([FailoverHistory.Tagged(tag: 1, state: state)], to: 1)
    #expect(story.problems.contains { $0.contains("which no device wrote") })
  }

  @Test mutating func `a revision without a write is found`() {
    let first = story.write("a", at: 2)
    story.end([first], head: 2)
    #expect(story.hasOnly("Zone 0 has 1 revisions without a write, the first at 1"))
  }

  @Test mutating func `a write that was accepted although its record had changed is found`() {
    let states = [
      story.write("a", at: 1), story.write("a", after: .tag(1), at: 2),
      story.write("a", after: .tag(1), by: 1, at: 3),
    ]
    story.end([states[2]], head: 3)
    #expect(story.hasOnly("required tag(1) and was accepted at 3, when zone 0 had 2"))
  }

  @Test mutating func `a write with a revision from before it was sent is found`() {
    let first = story.write("a", at: 2)
    let second = story.write("b", by: 2, at: 1)
    story.end([second, first], head: 2)
    #expect(story.hasOnly("got revision 1 of zone 0, which was at 2 before"))
  }

  @Test mutating func `a device that becomes live with an old state is found`() {
    let first = story.write("a", at: 1)
    story.history.add(.attached(device: 1, zone: 0))
    story.history.add(.live(device: 1, zone: 0, head: 0))
    story.read([first], to: 1)
    #expect(story.hasOnly("is live at 0 of zone 0, which was at 1"))
  }

  @Test mutating func `a write that is sent after a removal is found`() {
    story.history.add(.removing(account: 1, zone: 0))
    let first = story.write("a", at: 1)
    story.read([first], to: 1)
    story.history.add(.removed(account: 1, zone: 0))
    story.history.add(.attached(device: 1, zone: 0))
    let second = story.write("b", at: 2)
    story.read([second], from: 1, to: 2)
    story.history.add(.reset(device: 1, zone: 0, isExpired: false))
    #expect(story.hasOnly("Device 1 got 2 of zone 0, sent"))
  }

  @Test mutating func `a write of a removed account is found`() {
    story.history.add(.removing(account: 1, zone: 0))
    story.history.add(.removed(account: 1, zone: 0))
    story.write("a", by: 1, at: 1)
    #expect(story.hasOnly("was accepted in zone 0, from which its account had been removed"))
  }

  @Test mutating func `a device that still follows after a removal is found`() {
    let first = story.write("a", at: 1)
    story.read([first], to: 1)
    story.history.add(.removing(account: 1, zone: 0))
    story.history.add(.removed(account: 1, zone: 0))
    #expect(story.hasOnly("Device 1 still follows zone 0"))
  }

  @Test mutating func `a loss of access without a removal is found`() {
    let write = story.send("a", by: 1)
    story.history.add(.answered(write.id, .denied))
    story.history.add(.reset(device: 1, zone: 0, isExpired: false))
    #expect(story.problems.count == 2 && story.hasOnly("was not removed"))
  }

  @Test mutating func `a position that became invalid is found`() {
    story.history.add(.reset(device: 1, zone: 0, isExpired: true))
    #expect(story.hasOnly("The position of device 1 in zone 0 became invalid"))
  }

  @Test mutating func `a broker that forgot a request or a directory is found`() {
    let write = story.send("a")
    story.history.add(.answered(write.id, .conflict))
    story.history.add(.welcomed(device: 0, broker: 1, lastRequest: 1, directory: 5))
    story.history.add(.welcomed(device: 0, broker: 2, lastRequest: 0, directory: 4))
    #expect(story.problems.count == 2)
  }

  @Test mutating func `a device with another state than the brokers is found`() {
    let first = story.write("a", at: 1)
    let second = story.write("a", after: .tag(1), at: 2)
    story.read([first], to: 1)
    story.end([second], head: 2)
    #expect(story.hasOnly("Device 1 has a of zone 0 at 1, not 2"))
  }
}
