// A second implementation of the permissions of shares, for worlds of shares.

import BrokerCore
import Records

/// A model of who may read and write which zone, and of what was written when. It replays the committed
/// sharing requests without asking the broker. Time is the order of commits: every result has a moment, every
/// grant begins and ends at one, and every record state was written at one.
struct SharingOracle {
  /// A period in which an account had access to a zone.
  struct Grant {
    let from: Int
    var to: Int?

    func covers(_ moment: Int) -> Bool { from <= moment && moment < to ?? .max }
  }

  struct Seat: Hashable {
    let account: AccountID
    let zone: ZoneID
  }

  /// A record state and the moment when it was written.
  struct WrittenState {
    let change: Change
    let zone: ZoneID
    let moment: Int
  }

  private(set) var moment = 0
  private(set) var grants: [Seat: [Grant]] = [:]
  private(set) var permissions: [Seat: SharePermission] = [:]
  private(set) var written: [WrittenState] = []
  private var moments: [ZoneID: [Revision: Int]] = [:]
  /// The existing records of each zone.
  private(set) var records: [ZoneID: [RecordName: Change]] = [:]
  /// When each device's subscription to the shared database was saved.
  private(set) var subscribed: [DeviceID: Int] = [:]
  /// The number of the last request of each device.
  private var numbers: [DeviceID: RequestNumber] = [:]
  /// The permissions in the results that the broker's state machine has received.
  private var reported: Set<Seat> = []
  private(set) var deleted: Set<ZoneID> = []
  /// The newest link of each zone.
  private(set) var links: [ZoneID: ShareSecret] = [:]
  private(set) var losses = 0

  // MARK: Replay

  /// Replays a committed request.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    moment += 1
    switch (request, result) {
    case (
      .client(.modify(let request), let context), .client(.modified(let outcome, let effects), _)
    ):
      let identity = context.identity
      // The broker only repeats the outcome of a request that it applied before.
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

  /// The state machine is about to receive all committed results.
  mutating func beginReport() { reported.formUnion(permissions.keys) }

  /// The state machine has received all committed results.
  mutating func endReport() { reported = Set(permissions.keys) }

  private mutating func note(_ commit: ZoneCommit) {
    for change in commit.changes {
      written.append(WrittenState(change: change, zone: commit.zone.id, moment: moment))
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
      // An administrator always has write permission, even if invited as such while the request waited.
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

  // MARK: Checks during the run

  /// I24: the broker decided each write by the permissions at its place in the commit order.
  private func check(
    _ request: ModifyRequest, _ outcome: ModifyOutcome, by account: AccountID
  ) throws {
    for (group, results) in zip(request.groups, outcome.groups) {
      let zone = group.zone.resolved(for: account)
      guard zone.owner != account, let result = results.first else { continue }
      let permission = permissions[Seat(account: account, zone: zone)] ?? .none
      var code: RecordsError.Code?
      if case .failed(let error, _) = result { code = error.code }
      let expected: RecordsError.Code? =
        switch permission {
        case .none: .zoneNotFound
        case .readOnly: .permissionFailure
        case .readWrite: nil
        }
      guard code != expected else { continue }
      throw InvariantViolation(
        "I24",
        "a write of \(account) to \(zone) with permission \(permission) had the outcome "
          + "\(code?.rawValue ?? "a save")")
    }
  }

  /// Checks that the broker's list of participants matches the model.
  private func compare(_ share: Share, _ zone: ZoneID) throws {
    for participant in share.participants where participant.role != .owner {
      let seat = Seat(account: participant.account, zone: zone)
      let isIn = participant.status == .accepted
      guard
        isIn != (permissions[seat] != nil) || isIn && permissions[seat] != participant.permission
      else { continue }
      throw InvariantViolation("Z4", "\(participant) differs from the committed requests")
    }
  }

  private func mayHaveSeen(_ account: AccountID, _ zone: ZoneID, _ tag: Revision) -> Bool {
    guard zone.owner != account else { return true }
    let made = moments[zone]?[tag] ?? 0
    return grants[Seat(account: account, zone: zone), default: []].contains { $0.to ?? .max > made }
  }

  /// I11: checks that the receiver of a message may read its contents.
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
      for notification in page.notifications {
        let zone = notification.record.zone
        guard zone.owner != account else { continue }
        let made = moments[zone]?[notification.tag] ?? 0
        let seat = Seat(account: account, zone: zone)
        guard grants[seat, default: []].contains(where: { $0.covers(made) }) else {
          throw leak("a notification of \(notification.tag)", zone, account)
        }
      }
    default: break
    }
  }

  private func leak(
    _ what: String, _ zone: ZoneID, _ account: AccountID
  ) -> InvariantViolation {
    InvariantViolation("I11", "\(what) of \(zone) was sent to \(account), which may not read it")
  }

  // MARK: Expected state

  /// Returns the zones that an account has access to, without its standard zone.
  func zones(of account: AccountID, among all: [ZoneID]) -> Set<ZoneID> {
    Set(
      all.filter { zone in
        !deleted.contains(zone)
          && (zone.owner == account || permissions[Seat(account: account, zone: zone)] != nil)
      })
  }

  /// Returns the notifications that a device's subscription must have sent, in zones that its account still
  /// has access to.
  func expectedNotifications(for device: DeviceID, of account: AccountID) -> [RecordID: [Revision]]
  {
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
  /// Whether the answer lists the account as an administrator.
  fileprivate func isAdministrator(_ account: AccountID) -> Bool {
    guard case .share(let share) = self else { return false }
    return share.participants.contains { $0.account == account && $0.role == .administrator }
  }
}
