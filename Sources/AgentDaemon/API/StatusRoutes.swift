// The status of the device, its identity, and requests to synchronize.

import AddressBook
import BrokerLinks
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  func addStatusRoutes(to router: Router<BasicRequestContext>) {
    let root = router.group("v1")
    root.get("status") { _, _ in Response.json(try status()) }
    root.get("check") { _, _ in Response.json(try await check()) }
    root.post("sync") { request, _ in try await synchronize(request) }
  }

  private func status() throws -> JSONWriter {
    let status = try reader.status()
    let contacts = Int64(try reader.contactCount())
    let phase = driver.phase
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("state")
      json.value(status.heldDeletions > 0 ? "held" : phase.description)
      json.key("waitingEdits")
      json.value(Int64(status.waitingEdits))
      json.key("heldDeletions")
      json.value(Int64(status.heldDeletions))
      let lastSync = Self.lastSync(status, phase)
      json.key("lastSync")
      json.value(lastSync)
      json.key("lastSyncAgeSeconds")
      json.value(lastSync.map { max(0, Self.age(of: $0)) })
      json.key("syncing")
      json.value(driver.isReadingPublicRecords)
      json.key("conflicts")
      json.value(Int64(status.conflicts))
      json.key("contacts")
      json.value(contacts)
      json.key("badge")
      json.value(Int64(status.badge))
      json.key("lastEvent")
      json.value(status.lastEvent)
      json.key("warnings")
      json.list(Self.warnings(status, phase, driver.storeFailure)) { $0.value($1) }
      json.key("account")
      json.value(status.accountName ?? settings.accountName)
      let standing = AccountStatus(phase, account: status.account)
      json.key("accountStatus")
      json.value(standing.rawValue)
      json.key("accountSentence")
      json.value(driver.storeFailure?.statusSentence ?? standing.sentence)
      json.key("broker")
      json.value(current.map { BrokerEndpoint.text(of: $0.address.endpoints) })
      json.key("connectionError")
      json.value(phase == .live ? nil : driver.connectionFailure.map { "\($0)" })
      json.key("device")
      json.value(status.deviceName)
      json.key("version")
      json.value(ProgramVersion.text)
      json.key("edits")
      json.ledger(status.ledger)
    }
    return json
  }

  private func check() async throws -> JSONWriter {
    let findings = try reader.findings()
    let lost = await driver.lostAssets
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("findings")
      json.list(findings) { $0.value($1) }
      json.key("lostFiles")
      json.list(lost) { $0.value("\($1)") }
    }
    return json
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
    if case .refused(let error) = phase { warnings.append("\(error)") }
    if status.heldDeletions > 0 {
      warnings.append(
        "Unconfirmed deletions on hold: \(status.heldDeletions). "
          + "“contactsctl sync --accept-deletions” sends them; “contactsctl sync --refuse-deletions” "
          + "undoes them, and the unconfirmed ones that were already sent.")
    }
    if status.parked > 0 {
      warnings.append(
        "Edits rejected by the broker: \(status.parked). To see them: contactsctl refused list")
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
    return .json(try status())
  }

  /// Waits until this device is synchronized with the broker.
  /// - Throws: `serviceUnavailable` if that takes longer than `seconds`.
  private func wait(seconds: Double) async throws {
    await driver.brokerAppeared()
    async let isTimelineRead = driver.refreshTimeline(waitSeconds: seconds)
    let isDone = try await driver.synchronize(waitSeconds: seconds)
    let isRead = try await isTimelineRead
    guard isDone, isRead else {
      let phase = driver.phase
      // Waiting does not help a device that the broker rejects.
      if case .refused(let error) = phase { throw error }
      throw RecordsError(
        .serviceUnavailable,
        "Still not synchronized with the broker after \(seconds) s; this device is \(phase).",
        hint:
          "Unsent edits are stored and will be sent automatically. For details: contactsctl status")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func ledger(_ ledger: EditLedger) {
    object { json in
      json.key("made")
      json.value(Int64(ledger.made))
      json.key("applied")
      json.value(Int64(ledger.applied))
      json.key("merged")
      json.value(Int64(ledger.merged))
      json.key("coalesced")
      json.value(Int64(ledger.coalesced))
      json.key("undone")
      json.value(Int64(ledger.undone))
      json.key("rejected")
      json.value(Int64(ledger.rejected))
      json.key("pending")
      json.value(Int64(ledger.pending))
    }
  }
}
