// Compares a history with the promises of a broker: what it acknowledged is there, once; each feed has every revision in
// order; a revision has one content; and a removed participant gets nothing that was written later.

/// Checks the events of a history one after the other.
struct FailoverChecker {
  /// A device's copy of a zone.
  private struct Copy {
    var position: Int64 = 0
    var records: [String: FailoverHistory.Tagged] = [:]
    /// The newest revision that any device knew when this one attached.
    var floor: Int64 = 0
    var isGone = false
  }

  /// What is known of a write.
  private struct Sent {
    let write: FailoverHistory.Write
    let event: Int
    /// The newest revision of the zone that a device knew when it was sent.
    let floor: Int64
    var result: FailoverHistory.Result?
    var tag: Int64?
  }

  /// What is known of a zone.
  private struct Zone {
    var states: [Int64: FailoverHistory.State] = [:]
    var newest: Int64 = 0
    /// The accounts whose removal was requested.
    var removalRequests: Set<Int> = []
    /// The event at which the removal of an account was acknowledged.
    var removals: [Int: Int] = [:]
    var copies: [Int: Copy] = [:]
    var finalReads: [(broker: Int, head: Int64, states: [FailoverHistory.Tagged])] = []

    mutating func reach(_ revision: Int64) { newest = max(newest, revision) }
  }

  private let accounts: [Int]
  private var zones: [Int: Zone] = [:]
  private var sent: [FailoverHistory.WriteID: Sent] = [:]
  private var answeredRequests: [Int: Int64] = [:]
  private var directories: [Int: Int64] = [:]
  private var event = 0
  private var problems: [String] = []

  /// Returns the violations in a history; none if there are none.
  static func problems(of history: FailoverHistory) -> [String] {
    var checker = Self(accounts: history.accounts)
    for event in history.events {
      checker.check(event)
      checker.event += 1
    }
    checker.finish()
    return checker.problems
  }

  private init(accounts: [Int]) {
    self.accounts = accounts
  }

  private mutating func report(_ problem: String) {
    problems.append("Event \(event): \(problem)")
  }

  private mutating func check(_ event: FailoverHistory.Event) {
    switch event {
    case .sent(let write):
      let floor = zones[write.id.zone]?.newest ?? 0
      sent[write.id] = Sent(write: write, event: self.event, floor: floor)
    case .answered(let id, let result): answer(id, result)
    case .welcomed(let device, _, let lastRequest, let directory):
      welcome(device, lastRequest, directory)
    case .attached(let device, let zone):
      let newest = zones[zone]?.newest ?? 0
      zones[zone, default: Zone()].copies[device, default: Copy()].floor = newest
    case .read(let device, let page): read(device, page)
    case .live(let device, let zone, let head): becomeLive(device, zone, head)
    case .reset(let device, let zone, let isExpired): reset(device, zone, isExpired)
    case .removing(let account, let zone):
      zones[zone, default: Zone()].removalRequests.insert(account)
    case .removed(let account, let zone):
      zones[zone, default: Zone()].removals[account] = self.event
    case .following, .notified, .collapsed: break
    case .finalRead(let broker, let zone, let head, let states):
      for tagged in states { note(tagged, in: zone) }
      zones[zone, default: Zone()].finalReads.append((broker, head, states))
    }
  }

  // MARK: Writes

  private mutating func answer(
    _ id: FailoverHistory.WriteID, _ result: FailoverHistory.Result
  ) {
    guard let known = sent[id] else {
      return report("An answer came to \(id), which was not sent.")
    }
    if let former = known.result, former != result {
      report("The result of \(id) was \(former), then \(result).")
    }
    sent[id]?.result = result
    answeredRequests[id.device] = max(answeredRequests[id.device] ?? 0, id.request)
    let removal = zones[id.zone]?.removals[accounts[id.device]]
    if result == .denied, zones[id.zone]?.removalRequests.contains(accounts[id.device]) != true {
      report("\(id) was denied, but its account was not removed from zone \(id.zone).")
    }
    guard case .committed(let tag) = result, let tag else { return }
    if let removal, removal < known.event {
      report("\(id) was accepted in zone \(id.zone), from which its account had been removed.")
    }
    if tag <= known.floor {
      report("\(id) got revision \(tag) of zone \(id.zone), which was at \(known.floor) before.")
    }
    note(FailoverHistory.Tagged(tag: tag, state: known.write.state), in: id.zone)
  }

  private mutating func welcome(_ device: Int, _ lastRequest: Int64, _ directory: Int64) {
    if let answered = answeredRequests[device], lastRequest < answered {
      report("Device \(device) had an answer to \(answered); the broker knows \(lastRequest).")
    }
    if let former = directories[device], directory < former {
      report("The directory of device \(device) went from \(former) back to \(directory).")
    }
    directories[device] = directory
  }

  /// Notes that a revision of a zone has a content.
  private mutating func note(_ tagged: FailoverHistory.Tagged, in zone: Int) {
    let (tag, state) = (tagged.tag, tagged.state)
    if let known = zones[zone]?.states[tag], known != state {
      return report("Revision \(tag) of zone \(zone) is \(known) and \(state).")
    }
    zones[zone, default: Zone()].states[tag] = state
    zones[zone]?.reach(tag)
    guard let known = sent[state.write], known.write.state == state else {
      return report("Revision \(tag) of zone \(zone) is \(state), which no device wrote.")
    }
    if let former = known.tag, former != tag {
      report("\(state.write) was done twice, at \(former) and \(tag) of zone \(zone).")
    }
    sent[state.write]?.tag = tag
  }

  // MARK: Feeds

  private mutating func read(_ device: Int, _ page: FailoverHistory.Page) {
    var copy = zones[page.zone]?.copies[device] ?? Copy()
    if page.from != copy.position {
      report("Device \(device) got zone \(page.zone) from \(page.from), not \(copy.position).")
    }
    checkOrder(device, page)
    for tagged in page.states {
      note(tagged, in: page.zone)
      checkRemoval(device, page.zone, tagged)
      let record = tagged.state.write.record
      copy.records[record] = tagged.state.value == nil ? nil : tagged
    }
    copy.position = page.to
    zones[page.zone, default: Zone()].copies[device] = copy
    zones[page.zone]?.reach(page.to)
  }

  private mutating func checkOrder(_ device: Int, _ page: FailoverHistory.Page) {
    var last = page.from
    for tagged in page.states {
      if tagged.tag <= last || tagged.tag > page.to {
        report("Device \(device) got \(tagged.tag) of zone \(page.zone) after \(last).")
      }
      last = tagged.tag
    }
    // A state that was replaced since can be missing, but never the last one.
    let reached = page.states.map(\.tag).max() ?? page.from
    if page.isLive, reached < page.to {
      report(
        "Device \(device) got the changes of zone \(page.zone) from \(page.from) to \(page.to) "
          + "only through \(reached).")
    }
  }

  private mutating func checkRemoval(
    _ device: Int, _ zone: Int, _ tagged: FailoverHistory.Tagged
  ) {
    guard let removal = zones[zone]?.removals[accounts[device]],
      let written = sent[tagged.state.write]?.event, written > removal
    else { return }
    report(
      "Device \(device) got \(tagged.tag) of zone \(zone), sent at event \(written), after its "
        + "account had been removed at \(removal).")
  }

  private mutating func becomeLive(_ device: Int, _ zone: Int, _ head: Int64) {
    let copy = zones[zone]?.copies[device] ?? Copy()
    if head != copy.position {
      report("Device \(device) is live at \(head) of zone \(zone), and has \(copy.position).")
    }
    if head < copy.floor {
      report("Device \(device) is live at \(head) of zone \(zone), which was at \(copy.floor).")
    }
  }

  private mutating func reset(_ device: Int, _ zone: Int, _ isExpired: Bool) {
    guard !isExpired else {
      return report("The position of device \(device) in zone \(zone) became invalid.")
    }
    if zones[zone]?.removalRequests.contains(accounts[device]) != true {
      report("Device \(device) lost zone \(zone), from which its account was not removed.")
    }
    zones[zone, default: Zone()].copies[device, default: Copy()].isGone = true
  }

  // MARK: The end

  private mutating func finish() {
    for (number, zone) in zones.sorted(by: { $0.key < $1.key }) {
      let records = replay(zone, number)
      for read in zone.finalReads {
        compare(read.states, records, "Broker \(read.broker)", number)
        if read.head != zone.newest {
          report("Broker \(read.broker) has zone \(number) at \(read.head), not \(zone.newest).")
        }
      }
      for (device, copy) in zone.copies.sorted(by: { $0.key < $1.key }) {
        finish(device, copy, records, zone, number)
      }
    }
  }

  private mutating func finish(
    _ device: Int, _ copy: Copy, _ records: [String: FailoverHistory.Tagged], _ zone: Zone,
    _ number: Int
  ) {
    let isRemoved = zone.removals[accounts[device]] != nil
    if isRemoved, !copy.isGone { report("Device \(device) still follows zone \(number).") }
    guard !isRemoved, !copy.isGone else { return }
    compare(copy.records.values.sorted { $0.tag < $1.tag }, records, "Device \(device)", number)
  }

  /// Applies all writes of a zone in the order of their revisions. Returns the records that exist then.
  private mutating func replay(
    _ zone: Zone, _ number: Int
  ) -> [String: FailoverHistory.Tagged] {
    var records: [String: FailoverHistory.Tagged] = [:]
    let unknown = sent.values.count {
      $0.write.id.zone == number && $0.result == nil && $0.tag == nil
    }
    let missing = zone.newest - Int64(zone.states.count)
    if missing > unknown {
      let first = (1...zone.newest).first { zone.states[$0] == nil } ?? 0
      report("Zone \(number) has \(missing) revisions without a write, the first at \(first).")
    }
    for (tag, state) in zone.states.sorted(by: { $0.key < $1.key }) {
      let record = state.write.record
      if missing == 0, let write = sent[state.write]?.write {
        checkPrecondition(write, tag, living: records[record]?.tag)
      }
      records[record] = state.value == nil ? nil : FailoverHistory.Tagged(tag: tag, state: state)
    }
    return records
  }

  private mutating func checkPrecondition(
    _ write: FailoverHistory.Write, _ tag: Int64, living: Int64?
  ) {
    let precondition =
      switch write.kind {
      case .save(_, let precondition), .deletion(let precondition): precondition
      }
    let isMet =
      switch precondition {
      case .any: true
      case .absent: living == nil
      case .tag(let expected): living == expected
      }
    if !isMet {
      report(
        "\(write.id) required \(precondition) and was accepted at \(tag), when zone \(write.id.zone) "
          + "had \(living.map { "\($0)" } ?? "nothing").")
    }
  }

  private mutating func compare(
    _ states: [FailoverHistory.Tagged], _ records: [String: FailoverHistory.Tagged], _ who: String,
    _ zone: Int
  ) {
    var missing = records
    for tagged in states {
      let record = tagged.state.write.record
      if missing.removeValue(forKey: record) != tagged {
        let expected = records[record].map { "\($0.tag)" } ?? "none"
        report("\(who) has \(record) of zone \(zone) at \(tagged.tag), not \(expected).")
      }
    }
    for (record, tagged) in missing.sorted(by: { $0.key < $1.key }) {
      report("\(who) lacks \(record) of zone \(zone), written at \(tagged.tag).")
    }
  }
}
