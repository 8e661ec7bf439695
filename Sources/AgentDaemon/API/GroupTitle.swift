import ByteCounts
import Records

/// The rules for titles of groups.
enum GroupTitle {
  /// Returns `typed` as a title, without blanks at its ends.
  /// - Throws: `invalidArguments` or `limitExceeded`, with a sentence for people.
  static func checked(_ typed: String) throws(RecordsError) -> String {
    let title = typed.trimmingBlanks()
    guard !title.isEmpty else {
      throw RecordsError.invalid("A group needs a title.", field: "title")
    }
    guard title.utf8.count <= Limits.titleBytes else {
      throw RecordsError(
        .limitExceeded,
        "The title is too long: \(ByteCount(title.utf8.count)); "
          + "the limit is \(ByteCount(Limits.titleBytes).limit).")
    }
    guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw RecordsError.invalid("The title contains a control character.", field: "title") }
    return title
  }
}
