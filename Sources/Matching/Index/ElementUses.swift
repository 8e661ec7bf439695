import Predicates

/// A slot for the elements of a list field, or for one part of each entry of a field.
struct ElementUse {
  /// The identity of an element slot.
  struct Key: Hashable {
    /// The slot of the field that contains the elements.
    let field: UInt16
    /// The name of the part of each entry, as UTF-8; empty for a list.
    let part: [UInt8]
    /// The options under which elements are compared.
    let options: TextOptions
  }

  let key: Key
  /// The slot that the elements' keys are filed under.
  let slot: UInt16
}

/// The slots of elements, by the slot of their field, so that only the fields that a record has are
/// searched for elements.
struct ElementUses {
  private var slots: [ElementUse.Key: UInt16] = [:]
  private var keys: [UInt16: ElementUse.Key] = [:]
  private var byField: [UInt16: [ElementUse]] = [:]

  /// Whether no predicate tests elements.
  var isEmpty: Bool { slots.isEmpty }

  /// Returns the slot of the elements with this key, if there is one.
  func slot(of key: ElementUse.Key) -> UInt16? { slots[key] }

  /// Returns the slot of the field whose elements `slot` is for; `nil` if `slot` is not for elements.
  func field(ofElementsIn slot: UInt16) -> UInt16? { keys[slot]?.field }

  /// Returns the element slots of a field.
  func ofField(_ slot: UInt16) -> [ElementUse] { byField[slot] ?? [] }

  /// Adds an element slot.
  mutating func add(_ use: ElementUse) {
    slots[use.key] = use.slot
    keys[use.slot] = use.key
    byField[use.key.field, default: []].append(use)
  }

  /// Removes an element slot that no predicate uses.
  mutating func remove(_ slot: UInt16) {
    guard let key = keys.removeValue(forKey: slot) else { return }
    slots[key] = nil
    byField[key.field]?.removeAll { $0.slot == slot }
    if byField[key.field]?.isEmpty == true { byField[key.field] = nil }
  }
}
