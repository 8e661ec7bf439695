// Things of one import that go in together, so that a person's edit gets in between two steps. Where
// one of them is refused, each goes alone, and so fails alone.

import DeviceStore
import Records

/// What a step of an import came to.
struct ImportStep<Outcome: Sendable>: Sendable {
  /// What became of each thing, in order.
  var outcomes: [Outcome] = []
  /// The number under which the import can be undone; `nil` while nothing was changed.
  var action: Int64?

  /// Carries a step out with `apply`, which appends an outcome for each thing it is given, and makes
  /// an outcome of each refusal with `refused`.
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
