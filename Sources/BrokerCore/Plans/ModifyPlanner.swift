// Decides what a modify request comes to, from the rows it concerns. The order of the questions
// matters: first whether the number says that it was done before, then, group by group, rights,
// tags and limits. Groups see what earlier groups of the same request did.

import Records

/// Decides one modify request; made for it and thrown away.
package struct ModifyPlanner {
  private let identity: SessionIdentity
  private let request: ModifyRequest
  private let numbers: StoredNumbers
  private let stamp: Stamp
  private var assets: GatheredAssets?
  private let quotas: QuotaPolicy
  private let participations: [ZoneID: StoredParticipation]
  private let publicRights: PublicRights
  private let references: GatheredReferences?
  private var zones: [ZoneID: StoredZone]
  private var records: [RecordID: Change]
  private var writes: [ModifyWrites.Write] = []
  private var zoneCounts: ZoneCounts
  private var recordRoom: RecordRoom
  private var deletions: [ModifyWrites.Deletion] = []
  private let remembersTouched: Bool
  /// The stored bytes that the request may still read and write.
  private var storedBytesLeft: Int
  private var isTooLarge = false

  /// Prepares to decide `request` of `identity` at the broker's time `now`.
  package init(
    _ request: ModifyRequest, of identity: SessionIdentity, at now: Timestamp,
    gathered: GatheredForModify, quotas: QuotaPolicy = QuotaPolicy()
  ) {
    recordRoom = RecordRoom(
      limit: AccountUsage(records: quotas.accountRecords, bytes: quotas.accountRecordBytes),
      usages: gathered.usages)
    self.quotas = quotas
    self.identity = identity
    self.request = request
    numbers = gathered.numbers
    zones = gathered.zones
    records = gathered.records
    remembersTouched = request.operationCount > 1
    assets = gathered.assets
    participations = gathered.participations
    zoneCounts = gathered.zoneCounts
    publicRights = gathered.publicRights
    references = gathered.references
    storedBytesLeft = Limits.storedBytesPerRequest - gathered.storedBytes
    stamp = Stamp(
      time: now,
      origin: Origin(account: identity.account, device: identity.device, request: request.number))
  }

  /// What the request comes to. `generator` gives a new zone its incarnation.
  package mutating func plan(using generator: inout some RandomNumberGenerator) -> ModifyPlan {
    if let answer = answerByNumber() { return answer }
    var results: [[OperationResult]] = []
    results.reserveCapacity(request.groups.count)
    for (index, group) in request.groups.enumerated() {
      results.append(plan(group, at: index, using: &generator))
      guard !isTooLarge else { return .refuse(.tooManyStoredBytes) }
    }
    return .perform(
      ModifyWrites(
        outcome: ModifyOutcome(number: request.number, groups: results),
        fingerprint: request.fingerprint, acknowledged: request.acknowledged, writes: writes,
        deletions: deletions))
  }

  /// The answer of a request that is not the device's next one.
  private func answerByNumber() -> ModifyPlan? {
    guard !numbers.isRevoked else {
      return .refuse(
        RecordsError(.notAuthenticated, "This device was revoked.", reason: "revoked"))
    }
    if request.number <= numbers.last { return answerOfEarlierNumber() }
    guard request.number == numbers.last.next else {
      return .refuse(
        RecordsError(
          .serviceUnavailable,
          "Request \(request.number) came before request \(numbers.last.next) had an outcome.",
          hint: "Send the requests again in order from \(numbers.last.next).",
          retryAfterSeconds: 0, reason: "outOfOrder"))
    }
    let acknowledged = max(numbers.acknowledged, request.acknowledged)
    guard numbers.last.value - acknowledged.value < Int64(Limits.unacknowledgedOutcomes) else {
      return .refuse(
        RecordsError(
          .requestRateLimited,
          "\(Limits.unacknowledgedOutcomes) outcomes wait to be acknowledged.",
          hint: "Acknowledge them first.", retryAfterSeconds: 1))
    }
    guard storedBytesLeft >= 0 else { return .refuse(.tooManyStoredBytes) }
    guard references != nil else {
      return .refuse(
        RecordsError(
          .zoneBusy, "Records that refer to a deleted record are still being deleted.",
          hint: "Send the request again.", retryAfterSeconds: 1))
    }
    return nil
  }

  private func answerOfEarlierNumber() -> ModifyPlan {
    guard let stored = numbers.outcome else {
      return .refuse(
        RecordsError(
          .constraintViolation,
          "Request \(request.number) was carried out and acknowledged before.",
          hint: "Take a new device id and number the requests from 1.", reason: "clonedDevice"))
    }
    guard stored.fingerprint == request.fingerprint else {
      return .refuse(
        RecordsError(
          .constraintViolation,
          "Another request was carried out under number \(request.number): two devices share "
            + "one identity.",
          hint: "Take a new device id and number the requests from 1.", reason: "clonedDevice"))
    }
    return .replay(withoutUnreadable(stored.outcome))
  }

  /// The outcome without those records that the account may read no longer: it was kept when it might.
  private func withoutUnreadable(_ outcome: ModifyOutcome) -> ModifyOutcome {
    ModifyOutcome(
      number: outcome.number,
      groups: zip(request.groups, outcome.groups).map { group, results in
        let zone = group.zone.resolved(for: identity.account)
        return results.map { result in
          switch result {
          case .failed(var error, let record?) where !mayRead(record, in: zone):
            error.reason = ModifyOutcome.omittedReason
            return .failed(error, serverRecord: nil)
          case .deleted(let tag, let cascaded) where !cascaded.names.isEmpty && !mayRead(zone):
            return .deleted(tag: tag)
          case .failed, .deleted, .saved, .zoneSaved, .zoneDeleted, .trashEmptied:
            return result
          }
        }
      })
  }

  /// Whether the account may know what there is in a zone.
  private func mayRead(_ id: ZoneID) -> Bool {
    guard let zone = zones[id], !zone.isDeleted else { return false }
    return id.isPublic
      || Access(of: identity.account, in: zone, as: participations[id]).allowsReading
  }

  private func mayRead(_ record: Change, in id: ZoneID) -> Bool {
    guard mayRead(id) else { return false }
    return !id.isPublic
      || publicRights.allowsReading(
        record.type, of: record.created.origin.account, by: identity.account)
  }

  private mutating func plan(
    _ group: OperationGroup, at place: Int, using generator: inout some RandomNumberGenerator
  ) -> [OperationResult] {
    let zoneID = group.zone.resolved(for: identity.account)
    let zone = zones[zoneID]
    var attempt = GroupPlanner(
      zoneID: zoneID, zone: zone, account: identity.account,
      participation: participations[zoneID], publicRights: publicRights, stamp: stamp,
      newIncarnation: zone?.incarnation ?? .random(using: &generator),
      touchedMaximum: remembersTouched ? group.operations.count : 0, assets: assets, quotas: quotas,
      refusalOfZone: zoneCounts.refusalOfAnother, recordRoom: recordRoom,
      references: references ?? .nothing, storedBytesLeft: storedBytesLeft)
    var results: [OperationResult] = []
    results.reserveCapacity(group.operations.count)
    for (index, operation) in group.operations.enumerated() {
      do throws(OperationFailure) {
        results.append(try attempt.perform(operation, known: records))
      } catch {
        isTooLarge = error.error == .tooManyStoredBytes
        if case .saveZone = operation, zone?.isDeleted == true, zoneID.owner == identity.account {
          writes.append(.tellDeletion(zoneID))
        }
        return failedResults(of: group, culprit: index, failure: error)
      }
    }
    if let (culprit, failure) = attempt.violation(known: records) {
      return failedResults(of: group, culprit: culprit, failure: failure)
    }
    if zone == nil, attempt.zone != nil {
      zoneCounts.present += 1
      zoneCounts.named += 1
    }
    zones[zoneID] = attempt.zone
    assets = attempt.assets
    recordRoom = attempt.recordRoom
    storedBytesLeft = attempt.storedBytesLeft
    // Nobody looks at what the last group did.
    if place < request.groups.count - 1 { records.merge(attempt.touched) { _, new in new } }
    writes += attempt.writes
    deletions += attempt.deletions.map { parent, operation in
      ModifyWrites.Deletion(
        zone: zoneID, parent: parent, stamp: stamp,
        place: operation.map { ModifyWrites.Place(group: place, operation: $0) })
    }
    return results
  }

  private func failedResults(
    of group: OperationGroup, culprit: Int, failure: OperationFailure
  ) -> [OperationResult] {
    group.operations.indices.map { index in
      if index == culprit {
        return .failed(failure.error, serverRecord: failure.serverRecord)
      }
      return .failed(
        RecordsError(
          .batchRequestFailed, "Another operation of the same group failed.",
          hint: "See the result of operation \(culprit + 1)."),
        serverRecord: nil)
    }
  }
}

/// Why an operation cannot be done.
struct OperationFailure: Error {
  let error: RecordsError
  /// With `serverRecordChanged`, what the broker has.
  var serverRecord: Change?
}

extension RecordsError {
  /// The records that the request reads and writes are too large together.
  static var tooManyStoredBytes: RecordsError {
    RecordsError(
      .limitExceeded,
      "The records that this request reads and writes have more than "
        + "\(Limits.storedBytesPerRequest >> 20) MiB together.",
      hint: "Split the request.", reason: "storedBytes")
  }
}
