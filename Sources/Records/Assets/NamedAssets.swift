extension EncodedRecord {
  /// The assets in the record's fields, including lists and entries, in field order. An asset that
  /// is named twice appears twice. Bytes that are not a valid record are read up to the first
  /// error.
  package var assets: [Asset] { mentions.assets }
}

extension Fields {
  /// The assets in the fields, including lists and entries, in field order. An asset that is named
  /// twice appears twice.
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
