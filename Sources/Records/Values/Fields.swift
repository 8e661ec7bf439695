// A record's fields are sorted by key and unique. Equal records therefore have equal encodings, and
// digests and comparisons need no further rule.

/// A record's fields, sorted by key.
package struct Fields: Hashable, Sendable {
  /// A key and its value.
  package struct Field: Hashable, Sendable {
    /// The field's key.
    package let key: FieldKey
    /// The field's value.
    package var value: Value

    package init(key: FieldKey, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The fields, sorted by key without duplicates.
  package private(set) var all: [Field]

  /// Creates an empty set of fields.
  package init() {
    all = []
  }

  /// Creates fields from pairs in any order. If a key repeats, the last value is used.
  package init(_ fields: some Sequence<(FieldKey, Value)>) {
    self.init()
    for (key, value) in fields { self[key] = value }
  }

  /// Creates fields that the caller, such as a decoder, has verified to be sorted and unique.
  package init(sorted fields: [Field]) {
    all = fields
  }

  /// The value of `key`. Assigning `nil` removes the field.
  package subscript(key: FieldKey) -> Value? {
    get {
      let index = insertionIndex(of: key)
      return index < all.count && all[index].key == key ? all[index].value : nil
    }
    set {
      let index = insertionIndex(of: key)
      let isPresent = index < all.count && all[index].key == key
      switch newValue {
      case .some(let value) where isPresent: all[index].value = value
      case .some(let value): all.insert(Field(key: key, value: value), at: index)
      case .none where isPresent: all.remove(at: index)
      case .none: break
      }
    }
  }

  /// The keys in ascending order.
  package var keys: [FieldKey] { all.map(\.key) }

  /// Whether there are no fields.
  package var isEmpty: Bool { all.isEmpty }

  private func insertionIndex(of key: FieldKey) -> Int {
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Creates fields from a dictionary literal.
  package init(dictionaryLiteral elements: (FieldKey, Value)...) {
    self.init(elements)
  }
}

/// An edit of a record's fields: values to set and keys to remove. Other fields stay unchanged.
package struct FieldChanges: Hashable, Sendable {
  /// The fields to set.
  package var set: Fields
  /// The keys to remove, sorted.
  package var removed: [FieldKey]

  package init(set: Fields = Fields(), removed: [FieldKey] = []) {
    self.set = set
    self.removed = removed
  }

  /// Whether the edit changes nothing.
  package var isEmpty: Bool { self.set.isEmpty && removed.isEmpty }

  /// Returns the edit that turns `old` into `new`; empty if they are equal.
  package static func difference(from old: Fields, to new: Fields) -> FieldChanges {
    var changes = FieldChanges()
    for field in new.all where old[field.key] != field.value {
      changes.set[field.key] = field.value
    }
    changes.removed = old.keys.filter { new[$0] == nil }
    return changes
  }

  /// Returns `fields` with the edit applied.
  package func applied(to fields: Fields) -> Fields {
    var result = fields
    for key in removed { result[key] = nil }
    for field in set.all { result[field.key] = field.value }
    return result
  }
}
