/// What devices do with what they have and a restored broker has not.
package enum RestoreKind: String, CaseIterable, Sendable {
  /// They continue where they stopped, and repeat what happened after the backup.
  case `continue`
  /// They go back to the state of the backup.
  case rewind
}
