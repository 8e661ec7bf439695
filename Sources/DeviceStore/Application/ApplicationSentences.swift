import Records

/// What an application calls the things of which the replica stores sentences. By default the sentences speak of records
/// and zones.
package struct ApplicationSentences: Sendable {
  /// Returns an error as users of the application read it.
  package var error: @Sendable (RecordsError) -> RecordsError = { $0 }
  /// Returns the text of a notification.
  package var news: @Sendable (SharingNews) -> String = \.sentence
}
