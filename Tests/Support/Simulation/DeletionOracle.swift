// What each device had received of a group when a person deleted the group on it. The broker may delete nothing else.

import BrokerCore
import Records
import SyncCore

/// Checks I25: the deletion of a group deletes no record that its author had not received.
struct DeletionOracle {
  /// The device of each id that the broker gave.
  private var indexes: [DeviceID: Int] = [:]
  /// The revision of each zone up to which each device has ever received changes.
  private var received: [Int: [ZoneID: Revision]] = [:]
  /// The same when a person last deleted the zone on the device.
  private var atDeletion: [Int: [ZoneID: Revision]] = [:]

  mutating func welcomed(_ device: DeviceID, as index: Int) { indexes[device] = index }

  mutating func received(_ stretch: ZoneChanges, by index: Int) {
    let before = received[index]?[stretch.zone] ?? .zero
    received[index, default: [:]][stretch.zone] = max(before, stretch.to)
  }

  /// A person deletes a zone on a device.
  mutating func deletes(_ zone: ZoneID, on index: Int) {
    atDeletion[index, default: [:]][zone] = received[index]?[zone] ?? .zero
  }

  /// Checks the deletions of zones that the broker carried out for a request.
  /// - Parameter history: the commits before the request.
  /// - Throws: a violation of I25.
  func check(_ request: StorageRequest, _ result: StorageResult, _ history: History) throws {
    guard case .client(.modify(let modify), let context) = request,
      case .client(.modified(let outcome, _), _) = result
    else { return }
    // A repeated request has its first outcome again, and deletes nothing.
    let entries = result.committed?.directories.flatMap(\.page.entries) ?? []
    let gone = Set(entries.filter(\.isDeleted).map(\.zone))
    for (group, results) in zip(modify.groups, outcome.groups) {
      let zone = group.zone.resolved(for: context.identity.account)
      for (operation, result) in zip(group.operations, results) {
        guard case .deleteZone = operation, result == .zoneDeleted, gone.contains(zone) else {
          continue
        }
        try check(zone, context.identity.device, history)
      }
    }
  }

  private func check(_ zone: ZoneID, _ author: DeviceID, _ history: History) throws {
    guard !history.deletedZones.contains(zone), let index = indexes[author] else { return }
    let through = atDeletion[index]?[zone] ?? .zero
    for (id, entry) in history.newest where id.zone == zone && entry.change.kind == .saved {
      guard entry.change.tag > through, indexes[entry.change.modified.origin.device] != index
      else { continue }
      throw InvariantViolation(
        "I25",
        "device \(index) had received \(zone) through \(through) when it deleted it, and \(id.name) "
          + "at \(entry.change.tag) by another device was deleted too")
    }
  }
}
