// The elements that predicates look for have slots of their own, found from the slot of the field
// that holds them: a record is asked for the elements of the fields it has, and for no others.

import Predicates

/// Elements that predicates look for: those of a list, or one part of each entry.
struct ElementUse {
  /// What tells one from another.
  struct Key: Hashable {
    /// The slot of the field.
    let field: UInt16
    /// The part of its entries; empty for a list.
    let part: [UInt8]
    /// The form in which elements are compared.
    let options: TextOptions
  }

  let key: Key
  /// The slot its keys are filed under.
  let slot: UInt16
}

/// The slots of elements.
struct ElementUses {
  private var slots: [ElementUse.Key: UInt16] = [:]
  private var keys: [UInt16: ElementUse.Key] = [:]
  private var byField: [UInt16: [ElementUse]] = [:]

  /// Whether no predicate looks for elements.
  var isEmpty: Bool { slots.isEmpty }

  /// The slot of some elements, if it has been made.
  func slot(of key: ElementUse.Key) -> UInt16? { slots[key] }

  /// The slot of the field whose elements a slot is of.
  func field(ofElementsIn slot: UInt16) -> UInt16? { keys[slot]?.field }

  /// The elements of a field that predicates look for.
  func ofField(_ slot: UInt16) -> [ElementUse] { byField[slot] ?? [] }

  /// Enters the slot of some elements.
  mutating func add(_ use: ElementUse) {
    slots[use.key] = use.slot
    keys[use.slot] = use.key
    byField[use.key.field, default: []].append(use)
  }

  /// Takes out a slot of elements, which no predicate looks for any more.
  mutating func remove(_ slot: UInt16) {
    guard let key = keys.removeValue(forKey: slot) else { return }
    slots[key] = nil
    byField[key.field]?.removeAll { $0.slot == slot }
    if byField[key.field]?.isEmpty == true { byField[key.field] = nil }
  }
}
