// Items of an import that are applied together, in steps, so that a user's edit need not wait for the whole
// import. If one of them is rejected, halves are applied, and halves of those, so that only that one fails. Items that were
// committed stay committed if a later one fails, and the driver must send them: a request that is numbered
// but never sent would block all later ones.

import DeviceStore
import Records

/// The result of a step of an import.
struct ImportStep<Outcome: Sendable>: Sendable {
  /// The outcome of each item, in order.
  var outcomes: [Outcome] = []
  /// The number for undoing the import; `nil` if nothing changed.
  var action: Int64?
  /// The error that prevented the remaining items, mostly a full disk; `nil` if each item has an outcome.
  var failure: (any Error)?

  /// Performs a step with `apply`, which appends an outcome for each of its items, and converts each
  /// rejection to an outcome with `refused`.
  /// - Throws: The error of `apply` for all items together; its error for a single item becomes the step's
  ///   `failure`.
  static func perform<Item>(
    _ items: [Item], continuing action: Int64?,
    apply: (ArraySlice<Item>, inout Self) throws -> [SyncAction],
    refused: (Item, RecordsError) -> Outcome
  ) throws -> (Self, [SyncAction]) {
    var step = Self(action: action)
    do {
      let actions = try apply(items[...], &step)
      return (step, actions)
    } catch let error as RecordsError where error.concernsOneContact {
      step = Self(action: action)
      var actions: [SyncAction] = []
      performHalves(of: items[...], &step, &actions, apply: apply, refused: refused)
      return (step, actions)
    }
  }

  /// Applies the halves of items that were rejected together. A user's edit waits for all of it, so one rejected item must
  /// not make each of the others a transaction of its own.
  private static func performHalves<Item>(
    of items: ArraySlice<Item>, _ step: inout Self, _ actions: inout [SyncAction],
    apply: (ArraySlice<Item>, inout Self) throws -> [SyncAction],
    refused: (Item, RecordsError) -> Outcome
  ) {
    let middle = items.startIndex + items.count / 2
    for half in [items[..<middle], items[middle...]] where !half.isEmpty && step.failure == nil {
      var applied = step
      do {
        actions += try apply(half, &applied)
        step = applied
      } catch let error as RecordsError where error.concernsOneContact {
        if half.count == 1 {
          step.outcomes.append(refused(half[half.startIndex], error))
        } else {
          performHalves(of: half, &step, &actions, apply: apply, refused: refused)
        }
      } catch {
        step.failure = error
      }
    }
  }
}

extension RecordsError {
  /// Whether the error concerns this contact only, so that the next one may succeed.
  fileprivate var concernsOneContact: Bool {
    switch code {
    case .invalidArguments, .limitExceeded, .constraintViolation, .serverRecordChanged,
      .permissionFailure:
      true
    default: false
    }
  }
}
