// Saves and deletes subscriptions on this device. They are checked and durable at once, and sent to the broker when it
// can be reached.

import ByteCounts
import Matching
import Records
import SyncCore

extension Replica {
  /// The largest command of a hook, in bytes.
  static let commandBytes = 16 << 10

  /// Saves the application's own subscriptions (`ApplicationRules.ownSubscriptions`) that the account does not have.
  /// The store knows whether it has them; an earlier call does not count, because another account may have signed in
  /// since, and the broker may have lost them. Called when the public database was read.
  ///
  /// NB: a subscription that belonged to one device would notify that device only.
  /// A subscription that cannot be saved is reported: without notifications the device still reads the public database
  /// at each connection.
  /// - Throws: `StoreError`.
  package func saveOwnSubscriptions(now: Timestamp) throws -> [SyncAction] {
    try application.rules.ownSubscriptions.flatMap { form -> [SyncAction] in
      // Also one that the broker rejected, switched off or forgot is saved again.
      if let found = try reader.subscription(form.id), found.form.device == nil,
        !found.isForThisDevice, found.state == .saved || found.state == .saving
      {
        return []
      }
      do {
        return try subscribe(form, forThisDevice: false, command: nil, now: now)
      } catch let error as RecordsError {
        return [
          .report("Cannot subscribe to changes of the public database: \(error.logText).")
        ]
      }
    }
  }

  /// Saves a subscription, or replaces the one of the same id.
  /// - Parameters:
  ///   - form: the subscription; its `device` is ignored.
  ///   - isForThisDevice: whether it belongs to this device instead of the account.
  ///   - command: the shell command that this device runs for each notification; `nil` removes the present one.
  /// - Throws: `invalidArguments` or `limitExceeded`, with the field and column of an error in the subscription;
  ///   `zoneNotFound`; or `StoreError`. Then nothing changed.
  package func subscribe(
    _ form: SubscriptionForm, forThisDevice isForThisDevice: Bool, command: String?,
    now: Timestamp
  ) throws -> [SyncAction] {
    let form = form.belonging(to: nil)
    _ = try CompiledSubscription(form)
    if let command {
      guard !command.isEmpty, !command.utf8.contains(0), command.utf8.count <= Self.commandBytes
      else {
        throw RecordsError.invalid(
          "The command is empty, contains a zero byte, or exceeds "
            + "\(ByteCount(Self.commandBytes).limit).", field: "run")
      }
    }
    return try transact(now) { transaction, machine in
      if let zone = form.zone, try ZoneRow.load(transaction.db, zone) == nil {
        throw RecordsError(
          .zoneNotFound, "The zone is not on this device.", field: "zone", reason: "zoneNotHere")
      }
      try ReplicaSubscriptionTable.save(form, forThisDevice: isForThisDevice, transaction.db)
      try HookTable.set(command, of: form, transaction.db)
      machine.subscriptionsChanged()
      return []
    }
  }

  /// Deletes a subscription that any device saved, and the command that this device runs for it.
  /// - Throws: `unknownItem`, or `StoreError`.
  package func unsubscribe(_ id: SubscriptionID, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try ReplicaSubscriptionTable.delete(id, transaction.db)
      machine.subscriptionsChanged()
      return []
    }
  }
}
