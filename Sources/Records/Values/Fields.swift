// A record's fields, always sorted by key and unique: two equal records have equal encodings, so
// digests and comparisons need no further rule.

/// Fields by key, in the order of their keys.
package struct Fields: Hashable, Sendable {
  /// One field.
  package struct Field: Hashable, Sendable {
    /// Its key.
    package let key: FieldKey
    /// Its value.
    package var value: Value

    /// A field of this key and value.
    package init(key: FieldKey, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The fields, sorted by key, no key twice.
  package private(set) var all: [Field]

  /// No fields.
  package init() {
    all = []
  }

  /// The given fields in any order; of two with the same key the later one stays.
  package init(_ fields: some Sequence<(FieldKey, Value)>) {
    self.init()
    for (key, value) in fields { self[key] = value }
  }

  /// Fields known to be sorted and unique, as a decoder has just checked them to be.
  package init(sorted fields: [Field]) {
    all = fields
  }

  /// The value of `key`; setting `nil` removes the field.
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

  /// The keys in order.
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
  /// Fields written in source.
  package init(dictionaryLiteral elements: (FieldKey, Value)...) {
    self.init(elements)
  }
}

/// What an edit does to a record's fields: some set, some removed, the others left alone.
package struct FieldChanges: Hashable, Sendable {
  /// The fields that get a new value.
  package var set: Fields
  /// The keys that go, sorted.
  package var removed: [FieldKey]

  /// Changes that set and remove the given fields.
  package init(set: Fields = Fields(), removed: [FieldKey] = []) {
    self.set = set
    self.removed = removed
  }

  /// Whether nothing changes.
  package var isEmpty: Bool { self.set.isEmpty && removed.isEmpty }

  /// What turns `old` into `new`; empty when they are equal.
  package static func difference(from old: Fields, to new: Fields) -> FieldChanges {
    var changes = FieldChanges()
    for field in new.all where old[field.key] != field.value {
      changes.set[field.key] = field.value
    }
    changes.removed = old.keys.filter { new[$0] == nil }
    return changes
  }

  /// `fields` with the changes made.
  package func applied(to fields: Fields) -> Fields {
    var result = fields
    for key in removed { result[key] = nil }
    for field in set.all { result[field.key] = field.value }
    return result
  }
}
