import Records
import SwiftProtobuf

extension CascadedRecords {
  init(_ wire: WireDeleted) throws(RecordsError) {
    guard wire.cascadedCount > 0 || wire.goesOn else {
      self = .none
      return
    }
    try checkCount(
      wire.cascadedNames.count, of: "Record names in an outcome",
      limit: Limits.cascadedNamesPerOutcome)
    var names: [RecordName] = []
    for name in wire.cascadedNames { names.append(try RecordName(received: name)) }
    self.init(count: Int(clamping: wire.cascadedCount), names: names, goesOn: wire.goesOn)
  }

  func fill(_ wire: inout WireDeleted) {
    wire.cascadedCount = UInt64(count)
    wire.cascadedNames = names.map(\.text)
    wire.goesOn = goesOn
  }
}

extension ByteWriter {
  /// Writes the fields that `CascadedRecords.fill` sets.
  mutating func write(_ cascaded: CascadedRecords) {
    if cascaded.count > 0 { field(2, varint: UInt64(cascaded.count)) }
    for name in cascaded.names { field(3, string: name.text) }
    if cascaded.goesOn { field(4, varint: 1) }
  }
}

extension CascadedPage {
  init(_ wire: WireCascadedPage) throws(RecordsError) {
    var items: [Item] = []
    for record in wire.records {
      items.append(
        Item(name: try RecordName(received: record.name), tag: try Revision(wire: record.tag)))
    }
    self.init(
      items: items, next: try Revision(wireOrNone: wire.next), goesOn: wire.goesOn)
  }

  var wire: WireCascadedPage {
    .with {
      $0.records = items.map { item in
        .with {
          $0.name = item.name.text
          $0.tag = item.tag.wire
        }
      }
      $0.next = next?.wire ?? 0
      $0.goesOn = goesOn
    }
  }
}
