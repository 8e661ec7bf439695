// Values for some of the cases of a small enumeration, such as the texts of a contact. A contact has few of them, so comparing
// the cases one after another is faster than hashing: the hash of a case with a raw string is that of the string.

/// A dictionary whose keys are the cases of a small enumeration. Its pairs are in the order in which their keys were added.
/// Lookups take time in proportion to the number of pairs.
package struct CaseValues<Key: Hashable, Value>: Sequence, ExpressibleByDictionaryLiteral {
  /// A case and its value.
  package typealias Element = (key: Key, value: Value)

  private var pairs: [Element] = []

  /// Creates a dictionary of these pairs; of a repeated key, the last value counts.
  package init(_ pairs: some Sequence<(Key, Value)>) {
    for (key, value) in pairs { self[key] = value }
  }

  /// Creates a dictionary of these pairs, as the initializer of a sequence does.
  package init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(elements)
  }

  private init(unique pairs: [Element]) {
    self.pairs = pairs
  }

  /// The value of `key`; `nil` removes it.
  package subscript(key: Key) -> Value? {
    get { index(of: key).map { pairs[$0].value } }
    set {
      guard let index = index(of: key) else {
        if let newValue { pairs.append((key, newValue)) }
        return
      }
      if let newValue { pairs[index].value = newValue } else { pairs.remove(at: index) }
    }
  }

  private func index(of key: Key) -> Int? {
    for index in pairs.indices where pairs[index].key == key { return index }
    return nil
  }

  /// Whether no case has a value.
  package var isEmpty: Bool { pairs.isEmpty }
  /// The number of cases that have a value.
  package var count: Int { pairs.count }
  /// The cases that have a value, in the order of the pairs.
  package var keys: [Key] { pairs.map(\.key) }
  /// The values, in the order of the pairs.
  package var values: [Value] { pairs.map(\.value) }

  /// Iterates over the pairs in the order in which their keys were added.
  package func makeIterator() -> IndexingIterator<[Element]> { pairs.makeIterator() }

  /// The pairs that `isIncluded` accepts.
  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    Self(unique: try pairs.filter(isIncluded))
  }

  /// The same keys with what `transform` makes of their values.
  package func mapValues<Other>(
    _ transform: (Value) throws -> Other
  ) rethrows -> CaseValues<Key, Other> {
    CaseValues<Key, Other>(unique: try pairs.map { ($0.key, try transform($0.value)) })
  }

  /// Adds the pairs of `other`, whose values replace those of the same keys.
  package mutating func merge(_ other: Self) {
    for (key, value) in other { self[key] = value }
  }

  /// Returns the pairs of both; of a common key, the value of `other`.
  package func merging(_ other: Self) -> Self {
    var result = self
    result.merge(other)
    return result
  }
}

extension CaseValues: Sendable where Key: Sendable, Value: Sendable {}

// Equality is that of a dictionary, in which pairs have no order.
extension CaseValues: Equatable where Value: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.pairs.allSatisfy { right[$0.key] == $0.value }
  }
}

extension CaseValues: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in pairs {
      var own = hasher
      own.combine(key)
      own.combine(value)
      sum ^= own.finalize()
    }
    hasher.combine(sum)
  }
}
