// Which files a record names, encoded or open. Of an encoded one that is part of what it mentions.

extension EncodedRecord {
  /// The assets that stand in the record's fields, in lists and in entries, in their order; one that
  /// is named twice comes twice. What is not a record is read as far as it is one.
  package var assets: [Asset] { mentions.assets }
}

extension Fields {
  /// The assets that stand in the fields, in lists and in entries, in their order; one that is
  /// named twice comes twice.
  package var assets: [Asset] {
    var found: [Asset] = []
    for field in all { field.value.addAssets(to: &found) }
    return found
  }
}

extension Value {
  fileprivate func addAssets(to found: inout [Asset]) {
    switch self {
    case .asset(let asset): found.append(asset)
    case .list(let values): for value in values { value.addAssets(to: &found) }
    case .entries(let entries):
      for entry in entries {
        for field in entry.fields.all { field.value.addAssets(to: &found) }
      }
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .reference, .unknown: break
    }
  }
}
