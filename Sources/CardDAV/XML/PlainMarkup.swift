// Document types and processing instructions. No client sends them, a document type can multiply a small document in
// memory, and Foundation's parser ends the process at some of both: a notation, an attribute without a default, an
// instruction without data.

/// Looks for markup that is not read.
enum PlainMarkup {
  private static let comment = (open: Array("<!--".utf8), close: Array("-->".utf8))
  private static let verbatim = (open: Array("<![CDATA[".utf8), close: Array("]]>".utf8))

  /// Whether a document without its declaration has a document type or a processing instruction.
  static func hasOther(_ document: some Collection<UInt8>) -> Bool {
    var rest = Array(document)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[open...]
      if rest.starts(with: comment.open) {
        rest = after(comment.close, in: rest.dropFirst(comment.open.count))
      } else if rest.starts(with: verbatim.open) {
        rest = after(verbatim.close, in: rest.dropFirst(verbatim.open.count))
      } else {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "?") { return true }
      }
    }
    return false
  }

  /// Returns what follows an end; nothing if there is none, which the parser rejects.
  private static func after(_ end: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let place = rest.firstIndex(of: end[0]) {
      rest = rest[place...]
      if rest.starts(with: end) { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return []
  }
}
