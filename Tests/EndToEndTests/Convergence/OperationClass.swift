// The classes of operations in a round. A class can be left out while a fault in it is known.

import Foundation
import Processes

/// A class of operations.
enum OperationClass: String, CaseIterable {
  /// Contacts are added, edited and deleted.
  case contacts
  /// The same field is edited on two devices while they are disconnected.
  case clashes
  /// Conflicts are resolved.
  case resolutions
  /// Actions are undone.
  case undo
  /// Groups are added, renamed and deleted with their contacts.
  case groups
  /// Contacts are moved between groups.
  case moves
  /// Devices and the broker go offline and return.
  case absences
  /// Agents and the broker are killed during an operation.
  case kills
  /// The broker is backed up, and restored from any of its backups in both ways.
  case restores
  /// A second account takes part in a shared group.
  case sharing

  /// The classes of this run: all except those in `WITHOUT`, separated by commas. There are restores in `make converge`
  /// only: one round in a hundred still has a contact twice after several of them (docs/bugs.md). A database server has
  /// backups of its own.
  static var chosen: Set<OperationClass> {
    let environment = ProcessInfo.processInfo.environment
    let text = environment["WITHOUT"] ?? ""
    let left = text.split(separator: ",").map(String.init)
    for name in left where OperationClass(rawValue: name) == nil {
      preconditionFailure("WITHOUT names no class of operations: \(name).")
    }
    let canRestore =
      BrokerStoreKind.ofThisRun == .sqlite && environment["ROUNDS"] ?? environment["SEED"] != nil
    let possible = allCases.filter { $0 != .restores || canRestore }
    return Set(possible.filter { !left.contains($0.rawValue) })
  }
}
