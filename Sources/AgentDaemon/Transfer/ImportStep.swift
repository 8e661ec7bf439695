// Items of an import that are applied together, in steps, so that a user's edit need not wait for the whole
// import. If one of them is rejected, each is applied alone, so that only that one fails. Items that were
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
      return try performEach(items, continuing: action, apply: apply, refused: refused)
    }
  }

  private static func performEach<Item>(
    _ items: [Item], continuing action: Int64?,
    apply: (ArraySlice<Item>, inout Self) throws -> [SyncAction],
    refused: (Item, RecordsError) -> Outcome
  ) throws -> (Self, [SyncAction]) {
    var step = Self(action: action)
    var actions: [SyncAction] = []
    for index in items.indices {
      do {
        actions += try apply(items[index...index], &step)
      } catch let error as RecordsError where error.concernsOneContact {
        step.outcomes.append(refused(items[index], error))
      } catch {
        step.failure = error
        break
      }
    }
    return (step, actions)
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
