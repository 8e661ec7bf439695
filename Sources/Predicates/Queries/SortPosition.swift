import Records

/// The position of a record in a query's order: the values of the sort fields, the name and the zone.
///
/// Values of one class are in the order that predicates use, if they have one. Because a sort needs a total
/// order, other values of one class are sorted by their bytes, and values of different classes by class.
struct SortPosition: Hashable, Sendable {
  let values: [Value?]
  let name: RecordName
  let zone: ZoneID

  /// Creates the position of a record.
  init(_ fields: Fields, _ system: SystemFields, zone: ZoneID, sort: [SortKey]) {
    values = sort.map { key in
      switch key.path {
      case .field(let name): fields[name]
      case .system(let field): field.value(of: system)
      case .entry: nil
      }
    }
    name = system.name
    self.zone = zone
  }

  init(values: [Value?], name: RecordName, zone: ZoneID) {
    self.values = values
    self.name = name
    self.zone = zone
  }

  /// Returns whether the position is before `other` in the order of `sort`.
  func precedes(_ other: SortPosition, _ sort: [SortKey]) -> Bool {
    for (index, key) in sort.enumerated() {
      switch Self.order(values[index], other.values[index]) {
      case .same: continue
      case .before: return key.isAscending
      case .after: return !key.isAscending
      }
    }
    return name == other.name ? zone < other.zone : name < other.name
  }

  private static func order(_ left: Value?, _ right: Value?) -> ValueOrder {
    guard let left else { return right == nil ? .same : .before }
    guard let right else { return .after }
    return left.withView { leftView in
      right.withView { rightView in
        leftView.order(to: rightView)
          ?? (leftView.kind.comparisonClass == rightView.kind.comparisonClass
            ? leftView.bytesOrder(to: rightView)
            : ValueOrder(
              leftView.kind.comparisonClass.rawValue, rightView.kind.comparisonClass.rawValue))
      }
    }
  }
}

extension ValueView {
  /// Returns the order of two values by their bytes, for a class whose values have no order.
  fileprivate func bytesOrder(to other: ValueView) -> ValueOrder {
    if buffer.elementsEqual(other.buffer) { return ValueOrder(bits, other.bits) }
    return buffer.lexicographicallyPrecedes(other.buffer) ? .before : .after
  }
}

extension SystemField {
  /// Returns the value of the field.
  func value(of system: SystemFields) -> Value {
    switch self {
    case .recordID: .reference(Reference(record: system.name, action: .none))
    case .creationDate: .date(system.created.time)
    case .modificationDate: .date(system.modified.time)
    case .creatorUserRecordID: Self.account(system.created)
    case .lastModifiedUserRecordID: Self.account(system.modified)
    }
  }

  private static func account(_ stamp: Stamp) -> Value {
    let name = RecordName(stored: stamp.origin.account.description)
    return .reference(Reference(record: name, action: .none))
  }
}
