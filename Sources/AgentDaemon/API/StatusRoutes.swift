// The status of the device, its identity, and requests to synchronize.

import AddressBook
import AgentAPI
import AgentStore
import BrokerLinks
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addStatusRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.status.route) { _, _ in try Response.json(status()) }
    router.get(AgentPath.check.route) { _, _ in try await Response.json(check()) }
    router.post(AgentPath.sync.route) { request, _ in try await synchronize(request) }
  }

  /// Returns the status of the device now.
  func status() throws -> StatusView {
    let status = try reader.status()
    let phase = driver.phase
    let lastSync = Self.lastSync(status, phase)
    var view = StatusView(state: status.heldDeletions > 0 ? "held" : phase.description)
    view.waitingEdits = status.waitingEdits
    view.heldDeletions = status.heldDeletions
    view.lastSync = lastSync
    view.lastSyncAgeSeconds = lastSync.map { max(0, Self.age(of: $0)) }
    view.syncing = driver.isReadingPublicRecords
    view.conflicts = status.conflicts
    view.drafts = try reader.read { try DraftTable($0).count() }
    view.contacts = try reader.contactCount()
    view.badge = status.badge
    view.lastEvent = status.lastEvent
    view.warnings = Self.warnings(status, phase, driver.storeFailure)
    view.device = status.deviceName
    view.version = ProgramVersion.text
    view.edits = StatusView.Edits(status.ledger)
    describeAccount(of: status, phase, in: &view)
    return view
  }

  private func describeAccount(
    of status: DeviceStatus, _ phase: Phase, in view: inout StatusView
  ) {
    let accountStatus = ProfileStatus(phase, account: status.account)
    view.account = status.accountName ?? settings.accountName
    view.accountStatus = accountStatus.rawValue
    view.accountSentence = driver.storeFailure?.statusSentence ?? accountStatus.sentence
    view.broker = current.map { BrokerEndpoint.text(of: $0.address.endpoints) }
    view.brokerAnswer = StatusView.BrokerAnswer(driver.responsiveness)
    guard phase != .live else { return }
    view.connectionError = driver.connectionFailure.map { "\($0.forUsers)" }
    view.connectionErrorReason = driver.connectionFailure?.reason
    if case .refused(let error) = phase { view.connectionErrorReason = error.reason }
    guard case .missing = driver.responsiveness else { return }
    // A missing answer is the reason why the device is not connected.
    view.connectionError = view.brokerAnswer.sentence
    view.connectionErrorReason = nil
  }

  private func check() async throws -> CheckView {
    let findings = try reader.findings()
    return CheckView(findings: findings, lostFiles: await driver.lostAssets.map { "\($0)" })
  }

  private static func age(of time: Timestamp) -> Int64 {
    (SystemClock.now().microseconds - time.microseconds) / 1_000_000
  }

  /// A live device without pending edits is synchronized now.
  private static func lastSync(_ status: DeviceStatus, _ phase: Phase) -> Timestamp? {
    phase == .live && status.waitingEdits == 0 ? SystemClock.now() : status.lastSync
  }

  private static func warnings(
    _ status: DeviceStatus, _ phase: Phase, _ failure: StoreError?
  ) -> [String] {
    var warnings = [failure?.statusSentence].compactMap(\.self)
    if case .refused(let error) = phase { warnings.append("\(error.forUsers)") }
    if status.heldDeletions > 0 {
      warnings.append(
        "Unconfirmed deletions on hold: \(status.heldDeletions). "
          + "“contactsctl sync --accept-deletions” sends them; “contactsctl sync --refuse-deletions” "
          + "undoes them, and the unconfirmed ones that were already sent.")
    }
    if status.rejectedEdits > 0 {
      warnings.append(
        "Edits rejected by the broker: \(status.rejectedEdits). To see them: contactsctl refused list"
      )
    }
    if status.unheldSubscriptions > 0 {
      warnings.append(
        "Subscriptions that are not active: \(status.unheldSubscriptions). "
          + "To see why: contactsctl subscriptions")
    }
    return warnings
  }

  private func synchronize(_ request: Request) async throws -> Response {
    let form = try await body(request, as: SyncForm.self)
    switch form.deletions {
    case nil: break
    case "accept":
      try await driver.edit { replica, now in ((), try replica.acceptDeletions(now: now)) }
    case "refuse":
      try await driver.edit { replica, now in ((), try replica.refuseDeletions(now: now)) }
    default: throw RecordsError.invalid("deletions must be accept or refuse.", field: "deletions")
    }
    if let seconds = form.waitSeconds {
      guard seconds >= 0, seconds <= 86_400 else {
        throw RecordsError.invalid("waitSeconds must be from 0 to 86400.", field: "waitSeconds")
      }
      try await wait(seconds: seconds)
    } else {
      await driver.brokerAppeared()
      try await driver.refreshPublicRecords()
    }
    return try .json(status())
  }

  /// Waits until this device is synchronized with the broker.
  /// - Throws: `serviceUnavailable` if that takes longer than `seconds`, or if deletions are on hold.
  private func wait(seconds: Double) async throws {
    await driver.brokerAppeared()
    async let isTimelineRead = driver.refreshTimeline(waitSeconds: seconds)
    let isDone = try await driver.synchronize(waitSeconds: seconds)
    let isRead = try await isTimelineRead
    guard isDone, isRead else {
      let phase = driver.phase
      // Waiting does not help a device that the broker rejects.
      if case .refused(let error) = phase { throw error }
      let reason = driver.responsiveness.sentence(at: SystemClock.now()).map { " " + $0 } ?? ""
      throw RecordsError(
        .serviceUnavailable,
        "Still not synchronized with the broker after \(seconds) s; this device is \(phase)."
          + reason,
        hint:
          "Unsent edits are stored and will be sent automatically. For details: contactsctl status")
    }
    let heldDeletions = try reader.status().heldDeletions
    guard heldDeletions == 0 else { throw Self.onHold(heldDeletions) }
  }
}

extension AgentRoutes {
  private static func onHold(_ count: Int) -> RecordsError {
    RecordsError(
      .serviceUnavailable,
      "Not synchronized with the broker: \(count) unconfirmed deletion\(count == 1 ? " is" : "s are") on "
        + "hold.",
      hint:
        "“contactsctl sync --accept-deletions” sends them; “contactsctl sync --refuse-deletions” "
        + "undoes them, and the unconfirmed ones that were already sent.", reason: "held")
  }
}

extension StatusView.BrokerAnswer {
  fileprivate init(_ responsiveness: Responsiveness) {
    let now = SystemClock.now()
    let state =
      switch responsiveness {
      case .prompt: "prompt"
      case .slow: "slow"
      case .missing: "missing"
      }
    let tenths = (responsiveness.milliseconds(at: now) + 50) / 100
    self.init(
      state: state, seconds: responsiveness == .prompt ? nil : Double(tenths) / 10,
      sentence: responsiveness.sentence(at: now))
  }
}

extension StatusView.Edits {
  fileprivate init(_ ledger: EditLedger) {
    self.init(
      made: ledger.made, applied: ledger.applied, merged: ledger.merged,
      coalesced: ledger.coalesced, undone: ledger.undone, rejected: ledger.rejected,
      pending: ledger.pending)
  }
}
