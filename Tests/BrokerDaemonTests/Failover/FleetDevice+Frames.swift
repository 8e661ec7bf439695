// What a device of a run does with the frames of its broker.

import Records
import RecordsWire

extension FleetDevice {
  /// What a device needs to read a frame, and what it notes.
  struct Reading {
    let plan: FleetPlan
    let now: ContinuousClock.Instant
    /// The numbers of the devices by the ids that brokers gave them.
    var devices: [DeviceID: Int] = [:]
    var history: FailoverHistory
    var problems: [String] = []
  }

  /// Applies a frame.
  func take(_ frame: BrokerFrame, _ reading: inout Reading) {
    switch frame.message {
    case .welcome(let welcome): take(welcome, &reading)
    case .outcome(let outcome): take(outcome, frame.replyTo, &reading)
    case .error(let error): take(error, of: frame.replyTo, &reading)
    case .changes(let changes): take(changes, &reading)
    case .level(let zone, let incarnation, let head, let scanStart, _):
      let token = ChangeToken(incarnation: incarnation, revision: head, scanStart: scanStart)
      becomeLive(zone, token, &reading)
    case .reset(let zone, let error): reset(zone, error, &reading)
    case .notifications(let page): take(page, &reading)
    case .shared: finishRemoval(&reading)
    case .goodbye(let error):
      if !error.code.isTransient {
        reading.problems.append("Device \(number) was sent away: \(error.logText) \(error).")
      }
      disconnect(until: reading.now + .milliseconds(100))
    case .directory, .pong: break
    default: reading.problems.append("Device \(number) got \(frame.message).")
    }
  }

  private func take(_ welcome: Welcome, _ reading: inout Reading) {
    if let id = identity.id, id != welcome.device {
      reading.problems.append("Device \(number) was \(id) and became \(welcome.device).")
    }
    identity.id = welcome.device
    reading.devices[welcome.device] = number
    connection?.isWelcome = true
    reading.history.add(
      .welcomed(
        device: number, broker: connection?.broker ?? 0, lastRequest: welcome.lastNumber.value,
        directory: welcome.directory.value))
    attach(&reading.history)
  }

  private func take(_ page: NotificationPage, _ reading: inout Reading) {
    guard var position = noticed else { return }
    reading.history.add(.following(device: number))
    for collapsed in page.collapsed where collapsed.last > position {
      reading.history.add(.collapsed(device: number, last: collapsed.last.value))
      position = collapsed.last
    }
    for notification in page.notifications where notification.number > position {
      position = notification.number
      guard let zone = reading.plan.number(of: notification.record.zone) else {
        reading.problems.append("Device \(number) was notified of \(notification.record).")
        continue
      }
      reading.history.add(
        .notified(
          device: number,
          FailoverHistory.Notice(
            number: notification.number.value, predecessor: notification.predecessor.value,
            zone: zone, record: notification.record.name.text, tag: notification.tag.value)))
    }
    noticed = position
    connection?.send(.acknowledgeNotifications(position))
  }

  // MARK: Answers

  private func take(_ outcome: ModifyOutcome, _ frame: UInt64, _ reading: inout Reading) {
    guard let index = waiting.firstIndex(where: { $0.frame == frame }) else { return }
    let request = waiting.remove(at: index)
    identity.acknowledged = max(identity.acknowledged, outcome.number)
    for (writes, results) in zip(request.writes, outcome.groups) {
      for (write, result) in zip(writes, results) {
        guard let result = FailoverHistory.Result(result) else {
          reading.problems.append("\(write) had the result \(result).")
          continue
        }
        reading.history.add(.answered(write, result))
      }
    }
  }

  private func take(_ error: RecordsError, of frame: UInt64, _ reading: inout Reading) {
    guard error.code.isTransient else {
      return reading.problems.append(
        "Device \(number) got an error: \(error.logText) \(error)")
    }
    nextAttempt = reading.now + .milliseconds(min(500, (error.retryAfterSeconds ?? 0) * 1000))
    for index in waiting.indices where waiting[index].frame == frame { waiting[index].frame = nil }
    if removal?.frame == frame { removal?.frame = nil }
  }

  private func finishRemoval(_ reading: inout Reading) {
    guard let removal else { return }
    self.removal = nil
    reading.history.add(.removed(account: removal.account, zone: removal.zone.number))
  }

  // MARK: Feeds

  private func take(_ changes: ZoneChanges, _ reading: inout Reading) {
    guard let zone = reading.plan.number(of: changes.zone), zones[zone]?.isGone == false else {
      return reading.problems.append("Device \(number) got changes of \(changes.zone).")
    }
    let states = changes.changes.compactMap {
      FailoverHistory.Tagged($0, zone: zone, devices: reading.devices)
    }
    if states.count != changes.changes.count {
      reading.problems.append("Device \(number) got changes of another kind: \(changes).")
    }
    reading.history.add(
      .read(
        device: number,
        FailoverHistory.Page(
          zone: zone, from: changes.from.value, to: changes.to.value,
          isLive: changes.scanStart == nil, states: states)))
    for tagged in states {
      zones[zone]?.records[tagged.state.write.record] = tagged.state.value == nil ? nil : tagged.tag
    }
    let scanStart = changes.scanStart ?? zones[zone]?.token?.scanStart ?? .zero
    zones[zone]?.token = ChangeToken(
      incarnation: changes.incarnation, revision: changes.to, scanStart: scanStart)
  }

  private func becomeLive(_ id: ZoneID, _ token: ChangeToken, _ reading: inout Reading) {
    guard let zone = reading.plan.number(of: id) else { return }
    zones[zone]?.token = token
    zones[zone]?.isLive = true
    reading.history.add(.live(device: number, zone: zone, head: token.revision.value))
  }

  private func reset(_ id: ZoneID, _ error: RecordsError, _ reading: inout Reading) {
    guard let zone = reading.plan.number(of: id) else { return }
    guard !error.code.isTransient else {
      return disconnect(until: reading.now + .milliseconds(100))
    }
    let isExpired = error.code == .changeTokenExpired
    reading.history.add(.reset(device: number, zone: zone, isExpired: isExpired))
    zones[zone]?.isGone = true
  }
}

extension FailoverHistory.Result {
  /// `nil` for a result that no write of a run can have.
  fileprivate init?(_ result: OperationResult) {
    switch result {
    case .saved(let tag): self = .committed(tag.value)
    case .deleted(let tag, _): self = .committed(tag?.value)
    case .failed(let error, _):
      switch error.code {
      case .serverRecordChanged, .unknownItem: self = .conflict
      case .permissionFailure, .zoneNotFound: self = .denied
      case .batchRequestFailed: self = .dropped
      default: return nil
      }
    default: return nil
    }
  }
}

extension FailoverHistory.Tagged {
  /// `nil` for a change that is neither a save nor a deletion.
  init?(_ change: Change, zone: Int, devices: [DeviceID: Int]) {
    var value: String?
    switch change.kind {
    case .evicted: return nil
    case .deleted: break
    case .saved:
      guard case .string(let text)? = try? change.record.fields()["text"] else { return nil }
      value = text
    }
    let origin = change.modified.origin
    let write = FailoverHistory.WriteID(
      device: devices[origin.device] ?? -1, request: origin.request.value, zone: zone,
      record: change.name.text)
    self.init(tag: change.tag.value, state: FailoverHistory.State(write: write, value: value))
  }
}
