// A history for people: not states, but the changes of each step, by field and, for fields with entries, by
// entry.

import DeviceStore
import Records
import SyncCore

/// One step of a history.
struct HistoryStep: Sendable {
  /// The kind of change.
  enum Change: String, Sendable {
    case created, updated, deleted, restored
    /// The oldest retained version; earlier ones are unknown.
    case known
  }

  /// One change of the step.
  struct Difference: Sendable {
    /// The field.
    let field: String
    /// The entry of the field, if the change is about one.
    let entry: EntryID?
    /// The value before; `nil` for none.
    let before: Value?
    /// The value after; `nil` for none.
    let after: Value?
  }

  let state: HistoryState
  let change: Change
  let differences: [Difference]
}

extension HistoryView {
  /// The steps, oldest first.
  var steps: [HistoryStep] {
    var steps: [HistoryStep] = []
    var before: HistoryState?
    for state in states {
      steps.append(Self.step(from: before, to: state))
      before = state
    }
    return steps
  }

  private static func step(from before: HistoryState?, to state: HistoryState) -> HistoryStep {
    let change: HistoryStep.Change
    switch (before?.fields, state.fields) {
    case (nil, nil): change = .deleted
    case (nil, _?) where before != nil: change = .restored
    case (nil, _?): change = state.isMaking ? .created : .known
    case (_?, nil): change = .deleted
    case (_?, _?): change = .updated
    }
    let after = state.fields
    return HistoryStep(
      state: state, change: change,
      differences: after == nil
        ? [] : differences(from: before?.fields ?? Fields(), to: after ?? Fields()))
  }

  private static func differences(
    from before: Fields, to after: Fields
  ) -> [HistoryStep.Difference] {
    let changes = FieldChanges.difference(from: before, to: after)
    // The agent maintains the trail of moves; users do not edit it.
    let keys = (changes.set.keys + changes.removed).filter { $0 != MoveTrail.field }
    return keys.sorted().flatMap { key in
      differences(of: key, before[key], after[key])
    }
  }

  private static func differences(
    of key: FieldKey, _ before: Value?, _ after: Value?
  ) -> [HistoryStep.Difference] {
    guard let old = entries(before), let new = entries(after), before != nil || after != nil else {
      return [HistoryStep.Difference(field: key.text, entry: nil, before: before, after: after)]
    }
    let ids = old.map(\.id) + new.map(\.id).filter { id in !old.contains { $0.id == id } }
    return ids.compactMap { id in
      let one = old.first { $0.id == id }
      let other = new.first { $0.id == id }
      guard one?.fields != other?.fields else { return nil }
      return HistoryStep.Difference(
        field: key.text, entry: id, before: one.map { .entries([$0]) },
        after: other.map { .entries([$0]) })
    }
  }

  private static func entries(_ value: Value?) -> [Entry]? {
    switch value {
    case .entries(let entries): entries
    case nil: []
    default: nil
    }
  }
}
