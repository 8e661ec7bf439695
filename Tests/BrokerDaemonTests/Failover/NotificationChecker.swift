// Compares the notifications in a history with the promises of a broker: a subscriber gets one for each change of another
// device, once and without a gap, and none of what was written after its account had been removed.

/// Checks what devices were notified about.
struct NotificationChecker {
  /// What is known of a device that follows its notifications.
  private struct Follower {
    /// The event of its first page. It may miss what was written before.
    let start: Int
    var position: Int64 = 0
    /// The revisions that it was notified about, by zone.
    var revisions: [Int: [Int64: String]] = [:]
    /// Whether the broker replaced notifications by a number.
    var isCollapsed = false
  }

  private let accounts: [Int]
  /// The accounts of each zone.
  private let members: [Int: Set<Int>]
  private var followers: [Int: Follower] = [:]
  private var sent: [FailoverHistory.WriteID: Int] = [:]
  private var committed: [Int: [Int64: FailoverHistory.WriteID]] = [:]
  /// The events at which removals were acknowledged, by zone and account.
  private var removals: [Int: [Int: Int]] = [:]
  private var removalRequests: [Int: Set<Int>] = [:]
  private var event = 0
  private var problems: [String] = []

  /// Returns the violations in a history; none if there are none.
  /// - Parameter members: The accounts of each zone. All of them have subscriptions to all its records.
  static func problems(of history: FailoverHistory, members: [Int: Set<Int>]) -> [String] {
    var checker = Self(accounts: history.accounts, members: members)
    for event in history.events {
      checker.check(event)
      checker.event += 1
    }
    checker.finish()
    return checker.problems
  }

  private init(accounts: [Int], members: [Int: Set<Int>]) {
    self.accounts = accounts
    self.members = members
  }

  private mutating func report(_ problem: String) {
    problems.append("Event \(event): \(problem)")
  }

  private mutating func check(_ event: FailoverHistory.Event) {
    switch event {
    case .sent(let write): sent[write.id] = self.event
    case .answered(let id, .committed(let tag?)): committed[id.zone, default: [:]][tag] = id
    case .read(_, let page): for tagged in page.states { note(tagged, in: page.zone) }
    case .finalRead(_, let zone, _, let states): for tagged in states { note(tagged, in: zone) }
    case .removing(let account, let zone): removalRequests[zone, default: []].insert(account)
    case .removed(let account, let zone):
      removals[zone, default: [:]][account] = self.event
    case .following(let device):
      if followers[device] == nil { followers[device] = Follower(start: self.event) }
    case .notified(let device, let notice): take(notice, device)
    case .collapsed(let device, let last):
      followers[device]?.isCollapsed = true
      followers[device]?.position = last
    case .answered, .welcomed, .attached, .live, .reset: break
    }
  }

  private mutating func note(_ tagged: FailoverHistory.Tagged, in zone: Int) {
    committed[zone, default: [:]][tagged.tag] = tagged.state.write
  }

  private mutating func take(_ notice: FailoverHistory.Notice, _ device: Int) {
    guard var follower = followers[device] else {
      return report("Device \(device) was notified and does not follow.")
    }
    if notice.predecessor != follower.position {
      report(
        "Device \(device) got notification \(notice.number) after \(notice.predecessor), and has "
          + "\(follower.position).")
    }
    follower.position = notice.number
    let known = follower.revisions[notice.zone, default: [:]]
      .updateValue(notice.record, forKey: notice.tag)
    if known != nil {
      report("Device \(device) was notified twice of \(notice.tag) of zone \(notice.zone).")
    }
    followers[device] = follower
  }

  // MARK: The end

  private mutating func finish() {
    for (device, follower) in followers.sorted(by: { $0.key < $1.key }) {
      for (zone, revisions) in follower.revisions.sorted(by: { $0.key < $1.key }) {
        for (tag, record) in revisions.sorted(by: { $0.key < $1.key }) {
          checkNotice(of: tag, record, in: zone, to: device)
        }
      }
      if !follower.isCollapsed { checkCompleteness(of: follower, device) }
    }
  }

  private mutating func checkNotice(of tag: Int64, _ record: String, in zone: Int, to device: Int) {
    guard let write = committed[zone]?[tag], let time = sent[write], write.record == record else {
      return report(
        "Device \(device) was notified of \(record) at \(tag) of zone \(zone), which no device read."
      )
    }
    if write.device == device {
      report("Device \(device) was notified of its own change \(tag) of zone \(zone).")
    }
    if let removal = removals[zone]?[accounts[device]], time > removal {
      report(
        "Device \(device) was notified of \(tag) of zone \(zone), sent at event \(time), after its "
          + "account had been removed at \(removal).")
    }
  }

  private mutating func checkCompleteness(of follower: Follower, _ device: Int) {
    let account = accounts[device]
    for (zone, accounts) in members.sorted(by: { $0.key < $1.key })
    where accounts.contains(account) && removalRequests[zone]?.contains(account) != true {
      for (tag, write) in (committed[zone] ?? [:]).sorted(by: { $0.key < $1.key })
      where write.device != device && sent[write].map({ $0 > follower.start }) == true {
        if follower.revisions[zone]?[tag] == nil {
          report("Device \(device) was not notified of \(tag) of zone \(zone), \(write).")
        }
      }
    }
  }
}
