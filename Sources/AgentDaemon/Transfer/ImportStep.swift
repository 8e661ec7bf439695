// Things of one import that go in together, so that a person's edit gets in between two steps. Where
// one of them is refused, each goes alone, and so fails alone. What the first of them committed stands
// whatever becomes of a later one, and the driver must hear of it: a request that counts as sent and
// never left would keep all behind it from being taken.

import DeviceStore
import Records

/// What a step of an import came to.
struct ImportStep<Outcome: Sendable>: Sendable {
  /// What became of each thing, in order.
  var outcomes: [Outcome] = []
  /// The number under which the import can be undone; `nil` while nothing was changed.
  var action: Int64?
  /// What kept the rest from being tried: the disk, mostly. `nil` when each has its outcome.
  var failure: (any Error)?

  /// Carries a step out with `apply`, which appends an outcome for each thing it is given, and makes
  /// an outcome of each refusal with `refused`.
  /// - Throws: what `apply` throws of all together; of one by itself that is the step's `failure`.
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
  /// Whether the next contact may well be taken.
  fileprivate var concernsOneContact: Bool {
    switch code {
    case .invalidArguments, .limitExceeded, .constraintViolation, .serverRecordChanged,
      .permissionFailure:
      true
    default: false
    }
  }
}
