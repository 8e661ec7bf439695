/// The fields of a record as an object of texts, in order.
package struct FieldTexts: Hashable, Sendable {
  /// A field and its value as people read it.
  package struct Field: Hashable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) {
      self.key = key
      self.text = text
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field]) {
    self.fields = fields
  }
}

extension FieldTexts: Codable {
  /// Reads the fields, sorted by key, because the order of an object's keys is not kept.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    fields = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
      Field(key: $0.stringValue, text: try container.decode(String.self, forKey: $0))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for field in fields {
      try container.encode(field.text, forKey: JSONKey(stringValue: field.key))
    }
  }
}
