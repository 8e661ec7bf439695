// Decides the outcome of a modify request from the stored rows it concerns. First it checks the request
// number: a request that was applied before is answered with its first outcome. Then it checks permissions,
// change tags and limits, group by group. A group sees the changes of earlier groups of its request.

import ByteCounts
import Records

/// Decides one modify request. A planner is used once.
package struct ModifyPlanner {
  private let request: ModifyRequest
  private let numbers: StoredNumbers
  private let context: PlanningContext
  private var zones: [ZoneID: StoredZone]
  private var records: [RecordID: Change]
  private var budget: RequestBudget
  private var writes: [ModifyWrites.Write] = []
  private var deletions: [ModifyWrites.Deletion] = []

  /// Creates a planner for a `request` of `identity`. `now` is the broker's time, and `gathered` the rows
  /// that the request concerns.
  package init(
    _ request: ModifyRequest, of identity: SessionIdentity, at now: Timestamp,
    gathered: ModifyRows, quotas: QuotaPolicy = QuotaPolicy()
  ) {
    self.request = request
    numbers = gathered.numbers
    zones = gathered.zones
    records = gathered.records
    let origin = Origin(
      account: identity.account, device: identity.device, request: request.number)
    context = PlanningContext(
      account: identity.account, participations: gathered.participations,
      publicRights: gathered.publicRights, references: gathered.references,
      unseenChanges: gathered.unseenChanges, newZoneHead: gathered.newZoneHead, quotas: quotas,
      stamp: Stamp(time: now, origin: origin))
    budget = RequestBudget(
      assets: gathered.assets,
      records: RecordQuota(quotas, usages: gathered.usages),
      zones: gathered.zoneCounts,
      storedBytesLeft: Limits.storedBytesPerRequest - gathered.storedBytes)
  }

  /// Decides the request. `generator` supplies the incarnation of a new zone.
  package mutating func plan(using generator: inout some RandomNumberGenerator) -> ModifyPlan {
    if let answer = answerByNumber() { return answer }
    var results: [[OperationResult]] = []
    results.reserveCapacity(request.groups.count)
    do throws(RecordsError) {
      for (index, group) in request.groups.enumerated() {
        results.append(try plan(group, at: index, using: &generator))
      }
    } catch {
      return .refuse(error)
    }
    return .perform(
      ModifyWrites(
        outcome: ModifyOutcome(
          number: request.number, groups: results, time: context.stamp.time),
        fingerprint: request.fingerprint, acknowledged: request.acknowledged, writes: writes,
        deletions: deletions))
  }

  /// Returns the answer to a request that must not be applied, or `nil` if it is the device's next one.
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
          "Request \(request.number) is out of order: expected \(numbers.last.next).",
          hint: "Send the requests again in order from \(numbers.last.next).",
          retryAfterSeconds: 0, reason: "outOfOrder"))
    }
    let acknowledged = max(numbers.acknowledged, request.acknowledged)
    guard numbers.last.value - acknowledged.value < Int64(Limits.unacknowledgedOutcomes) else {
      return .refuse(
        RecordsError(
          .requestRateLimited,
          "\(Limits.unacknowledgedOutcomes) outcomes have not been acknowledged.",
          hint: "Acknowledge them first.", retryAfterSeconds: 1))
    }
    guard budget.storedBytesLeft >= 0 else { return .refuse(.tooManyStoredBytes) }
    guard context.references != nil else {
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
          "Request \(request.number) was applied and acknowledged before.",
          hint: "Use a new device id and number its requests from 1.", reason: "clonedDevice"))
    }
    guard stored.fingerprint == request.fingerprint else {
      return .refuse(
        RecordsError(
          .constraintViolation,
          "Another request was applied under number \(request.number): two devices share "
            + "one identity.",
          hint: "Use a new device id and number its requests from 1.", reason: "clonedDevice"))
    }
    return .replay(withoutUnreadable(stored.outcome))
  }

  /// Returns `outcome` without the records that the account can no longer read. It could when the outcome
  /// was stored.
  private func withoutUnreadable(_ outcome: ModifyOutcome) -> ModifyOutcome {
    ModifyOutcome(
      number: outcome.number,
      groups: zip(request.groups, outcome.groups).map { group, results in
        let zone = group.zone.resolved(for: context.account)
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
      }, time: outcome.time)
  }

  /// Whether the account may know the contents of a zone.
  private func mayRead(_ id: ZoneID) -> Bool {
    guard let zone = zones[id], !zone.isDeleted else { return false }
    return id.isPublic
      || Access(of: context.account, in: zone, as: context.participations[id]).allowsReading
  }

  private func mayRead(_ record: Change, in id: ZoneID) -> Bool {
    guard mayRead(id) else { return false }
    return !id.isPublic
      || context.publicRights.allowsReading(
        record.type, of: record.created.origin.account, by: context.account)
  }

  private mutating func plan(
    _ group: OperationGroup, at place: Int, using generator: inout some RandomNumberGenerator
  ) throws(RecordsError) -> [OperationResult] {
    let zoneID = group.zone.resolved(for: context.account)
    let zone = zones[zoneID]
    let hasOtherOperations = request.groups.count > 1 || group.operations.count > 1
    var attempt = GroupPlanner(
      zoneID: zoneID, zone: zone, context: context,
      newIncarnation: zone?.isDeleted == false
        ? zone?.incarnation ?? Incarnation(0) : .random(using: &generator),
      touchedMaximum: hasOtherOperations ? group.operations.count : 0, budget: budget)
    var results: [OperationResult] = []
    results.reserveCapacity(group.operations.count)
    for (index, operation) in group.operations.enumerated() {
      do throws(OperationFailure) {
        results.append(try attempt.perform(operation, known: records))
      } catch {
        if error.error == .tooManyStoredBytes { throw error.error }
        if case .saveZone = operation, zone?.isDeleted == true, zoneID.owner == context.account {
          writes.append(.notifyOfDeletion(zoneID))
        }
        return failedResults(of: group, culprit: index, failure: error)
      }
    }
    if let (culprit, failure) = attempt.violation(known: records) {
      return failedResults(of: group, culprit: culprit, failure: failure)
    }
    zones[zoneID] = attempt.zone
    budget = attempt.budget
    if attempt.zone?.isDeleted == false, zone?.isDeleted != false { budget.zones.present += 1 }
    if zone == nil, attempt.zone != nil { budget.zones.named += 1 }
    // No group follows that could read the last group's changes.
    if place < request.groups.count - 1 { records.merge(attempt.changes) { _, new in new } }
    // Most requests have one group, whose writes are used without a copy.
    if writes.isEmpty { writes = attempt.writes } else { writes += attempt.writes }
    deletions += attempt.deletions.map { parent, operation in
      ModifyWrites.Deletion(
        zone: zoneID, parent: parent, stamp: context.stamp,
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
          .batchRequestFailed, "Another operation that takes effect together with this one failed.",
          hint: "See the result of operation \(culprit + 1)."),
        serverRecord: nil)
    }
  }
}

/// The reason why an operation failed.
struct OperationFailure: Error {
  let error: RecordsError
  /// The broker's record, if the error is `serverRecordChanged`.
  var serverRecord: Change?
}

extension RecordsError {
  /// The records that a request reads and writes exceed `Limits.storedBytesPerRequest` together.
  static var tooManyStoredBytes: RecordsError {
    RecordsError(
      .limitExceeded,
      "The records that this request reads and writes exceed "
        + "\(ByteCount(Limits.storedBytesPerRequest).limit) in total.",
      hint: "Split the request.", reason: "storedBytes")
  }
}
