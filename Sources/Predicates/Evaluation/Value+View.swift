import Records

extension Value {
  /// Returns the value with its texts folded under `options`.
  package func folded(_ options: TextOptions) -> Value {
    guard !options.isEmpty else { return self }
    switch self {
    case .string(let text):
      return .string(String(decoding: TextFold.folded(text, options), as: UTF8.self))
    case .list(let values): return .list(values.map { $0.folded(options) })
    case .int64, .double, .boolean, .date, .bytes, .location, .reference, .asset, .entries,
      .unknown:
      return self
    }
  }

  /// Calls `body` with a view of the value, which is valid during the call.
  package func withView<Result>(_ body: (ValueView) -> Result) -> Result {
    switch self {
    case .string(var text):
      return text.withUTF8 { body(ValueView(.text, start: $0.baseAddress, count: $0.count)) }
    case .int64(let number):
      return body(ValueView(.whole, bits: UInt64(bitPattern: number)))
    case .double, .boolean, .date, .bytes, .location, .reference, .asset, .list, .entries,
      .unknown:
      var writer = ByteWriter()
      writer.write(self)
      return writer.bytes.withUnsafeBufferPointer { body(ValueView(encoded: RawReader($0))) }
    }
  }
}
