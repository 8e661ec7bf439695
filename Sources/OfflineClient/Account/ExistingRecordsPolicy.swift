/// What happens to the records in a container's file when it joins an account.
public enum ExistingRecordsPolicy: Hashable, Sendable, CaseIterable {
  /// They become records of the account, and its other devices receive them.
  case merge
  /// They are deleted, with their zones and their history. This cannot be undone.
  case delete
}
