// Who may see what, by a model of its own: orders are taken in as they were committed and make the
// rights here anew, without asking the broker. Time is the order of commits: each result has a moment,
// each grant begins and ends at one, and each state of a record was made at one.

import BrokerCore
import Records

/// The rights of a world of shares, and what was written when.
struct SharingOracle {
  /// A stretch of time in which somebody was in a zone.
  struct Grant {
    let from: Int
    var to: Int?

    func covers(_ moment: Int) -> Bool { from <= moment && moment < to ?? .max }
  }

  struct Seat: Hashable {
    let account: AccountID
    let zone: ZoneID
  }

  /// A state that was written.
  struct Written {
    let change: Change
    let zone: ZoneID
    let moment: Int
  }

  private(set) var moment = 0
  private(set) var grants: [Seat: [Grant]] = [:]
  private(set) var permissions: [Seat: SharePermission] = [:]
  private(set) var written: [Written] = []
  private var moments: [ZoneID: [Revision: Int]] = [:]
  /// The records that there are.
  private(set) var records: [ZoneID: [RecordName: Change]] = [:]
  /// When a device's subscription to everything shared was saved.
  private(set) var subscribed: [DeviceID: Int] = [:]
  /// The last request of each device.
  private var numbers: [DeviceID: RequestNumber] = [:]
  /// The seats as the machine has heard of them.
  private var reported: Set<Seat> = []
  private(set) var deleted: Set<ZoneID> = []
  /// The links that were made last.
  private(set) var links: [ZoneID: ShareSecret] = [:]
  private(set) var losses = 0

  // MARK: What happened

  /// Takes in a commit.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    moment += 1
    switch (request, result) {
    case (
      .client(.modify(let request), let context), .client(.modified(let outcome, let effects), _)
    ):
      let identity = context.identity
      // What was carried out before is only answered again.
      guard request.number > numbers[identity.device] ?? .zero else { return }
      numbers[identity.device] = request.number
      try check(request, outcome, by: identity.account)
      for commit in effects.zones { note(commit) }
      for (group, results) in zip(request.groups, outcome.groups) where results == [.zoneDeleted] {
        delete(group.zone.resolved(for: identity.account))
      }
    case (.client(.share(let order, _), let context), .client(.shared(let outcome, _), _)):
      let identity = context.identity
      guard case .success(let answer) = outcome.answer, let zone = outcome.zone else { return }
      take(order, by: identity.account, zone: zone, answer)
      guard case .share(let share) = answer else { return }
      if let link = share.link, link.standing == .valid {
        links[zone] = ShareSecret(bytes: link.digest)
      }
      try compare(share, zone)
    case (.client(.saveSubscription(let form), let context), .client(.answered(let answer, _), _)):
      let identity = context.identity
      if answer == .subscriptionSaved, form.zone == nil, subscribed[identity.device] == nil {
        subscribed[identity.device] = moment
      }
    default: break
    }
  }

  /// The machine hears of everything that was committed.
  mutating func beginReport() { reported.formUnion(permissions.keys) }

  /// The machine has heard of it.
  mutating func endReport() { reported = Set(permissions.keys) }

  private mutating func note(_ commit: ZoneCommit) {
    for change in commit.changes {
      written.append(Written(change: change, zone: commit.zone.id, moment: moment))
      moments[commit.zone.id, default: [:]][change.tag] = moment
      records[commit.zone.id, default: [:]][change.name] = change.kind == .saved ? change : nil
    }
  }

  private mutating func delete(_ zone: ZoneID) {
    deleted.insert(zone)
    for seat in permissions.keys where seat.zone == zone { end(seat) }
  }

  private mutating func take(
    _ order: SharingRequest, by account: AccountID, zone: ZoneID, _ answer: ShareAnswer
  ) {
    switch order {
    case .accept:
      guard case .preview(let preview) = answer else { return }
      begin(Seat(account: account, zone: zone), preview.permission)
    case .answerRequest(_, let target, .approve(let permission)):
      // Administrators always write, also one who was invited as such and asked meanwhile.
      begin(
        Seat(account: target, zone: zone),
        answer.isAdministrator(target) ? .readWrite : permission)
    case .answerRequest(_, let target, .block), .removeParticipant(_, let target):
      end(Seat(account: target, zone: zone))
    case .setParticipant(_, let target, let permission, let isAdministrator):
      let seat = Seat(account: target, zone: zone)
      if permissions[seat] != nil {
        permissions[seat] = isAdministrator ? .readWrite : permission
      }
    case .invite(_, _, let permission):
      guard case .share(let share) = answer else { return }
      for participant in share.participants where participant.permission == permission {
        let seat = Seat(account: participant.account, zone: zone)
        if participant.role != .owner, permissions[seat] != nil { permissions[seat] = permission }
      }
    case .leave: end(Seat(account: account, zone: zone))
    case .stop: for seat in permissions.keys where seat.zone == zone { end(seat) }
    default: break
    }
  }

  private mutating func begin(_ seat: Seat, _ permission: SharePermission) {
    guard seat.account != seat.zone.owner else { return }
    if permissions[seat] == nil { grants[seat, default: []].append(Grant(from: moment)) }
    permissions[seat] = permission
  }

  private mutating func end(_ seat: Seat) {
    guard permissions.removeValue(forKey: seat) != nil, var last = grants[seat]?.popLast() else {
      return
    }
    losses += 1
    last.to = moment
    grants[seat]?.append(last)
  }

  // MARK: What must hold

  /// I24: each write is judged by the rights at its own place.
  private func check(
    _ request: ModifyRequest, _ outcome: ModifyOutcome, by account: AccountID
  ) throws {
    for (group, results) in zip(request.groups, outcome.groups) {
      let zone = group.zone.resolved(for: account)
      guard zone.owner != account, let result = results.first else { continue }
      let permission = permissions[Seat(account: account, zone: zone)] ?? .none
      var code: ErrorCode?
      if case .failed(let error, _) = result { code = error.code }
      let expected: ErrorCode? =
        switch permission {
        case .none: .zoneNotFound
        case .readOnly: .permissionFailure
        case .readWrite: nil
        }
      guard code != expected else { continue }
      throw InvariantViolation(
        "I24",
        "a write of \(account) into \(zone), where it had \(permission), came to "
          + "\(code?.rawValue ?? "a save")")
    }
  }

  /// The broker's own list agrees with the model.
  private func compare(_ share: Share, _ zone: ZoneID) throws {
    for participant in share.participants where participant.role != .owner {
      let seat = Seat(account: participant.account, zone: zone)
      let isIn = participant.status == .accepted
      guard
        isIn != (permissions[seat] != nil) || isIn && permissions[seat] != participant.permission
      else { continue }
      throw InvariantViolation("Z4", "\(participant) is not what the orders made it")
    }
  }

  private func mayHaveSeen(_ account: AccountID, _ zone: ZoneID, _ tag: Revision) -> Bool {
    guard zone.owner != account else { return true }
    let made = moments[zone]?[tag] ?? 0
    return grants[Seat(account: account, zone: zone), default: []].contains { $0.to ?? .max > made }
  }

  /// I11: nothing leaves the broker that its receiver may not read.
  func check(_ message: BrokerMessage, to account: AccountID) throws {
    switch message {
    case .changes(let stretch):
      let seat = Seat(account: account, zone: stretch.zone)
      guard stretch.zone.owner == account || reported.contains(seat) else {
        throw leak("a stretch of the feed", stretch.zone, account)
      }
      for change in stretch.changes where !mayHaveSeen(account, stretch.zone, change.tag) {
        throw leak("“\(change.name)” at \(change.tag)", stretch.zone, account)
      }
    case .found(let page):
      for found in page.records where !mayHaveSeen(account, found.zone, found.change.tag) {
        throw leak("“\(found.change.name)”, found,", found.zone, account)
      }
    case .notifications(let page):
      for told in page.notifications {
        let zone = told.record.zone
        guard zone.owner != account else { continue }
        let made = moments[zone]?[told.tag] ?? 0
        let seat = Seat(account: account, zone: zone)
        guard grants[seat, default: []].contains(where: { $0.covers(made) }) else {
          throw leak("a notification of \(told.tag)", zone, account)
        }
      }
    default: break
    }
  }

  private func leak(
    _ what: String, _ zone: ZoneID, _ account: AccountID
  ) -> InvariantViolation {
    InvariantViolation("I11", "\(what) of \(zone) was sent to \(account), who may not see it")
  }

  // MARK: What must have come

  /// The zones that an account may see, its standard zone left out.
  func zones(of account: AccountID, among all: [ZoneID]) -> Set<ZoneID> {
    Set(
      all.filter { zone in
        !deleted.contains(zone)
          && (zone.owner == account || permissions[Seat(account: account, zone: zone)] != nil)
      })
  }

  /// What the subscription of a device had to tell, of zones that its account is still in.
  func tellings(for device: DeviceID, of account: AccountID) -> [RecordID: [Revision]] {
    guard let since = subscribed[device] else { return [:] }
    var due: [RecordID: [Revision]] = [:]
    for state in written where state.zone.owner != account && state.moment > since {
      let seat = Seat(account: account, zone: state.zone)
      guard state.change.modified.origin.device != device, permissions[seat] != nil,
        let last = grants[seat]?.last, last.covers(state.moment)
      else { continue }
      due[RecordID(zone: state.zone, name: state.change.name), default: []].append(
        state.change.tag)
    }
    return due
  }
}

extension ShareAnswer {
  /// Whether it says that an account is an administrator.
  fileprivate func isAdministrator(_ account: AccountID) -> Bool {
    guard case .share(let share) = self else { return false }
    return share.participants.contains { $0.account == account && $0.role == .administrator }
  }
}
