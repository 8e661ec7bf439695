/// The work that the current transaction may still do. A long transaction delays all requests that wait
/// for the next one.
struct TransactionBudget {
  /// The records that may still be deleted because they refer to a deleted record.
  var cascadedRecordsLeft = 0
  /// The stored bytes that may still be read and written.
  var storedBytesLeft = 0
  /// Units of follow-up work for the accounts of a zone: directory entries to update and subscriptions to
  /// delete. Work that exceeds them becomes a deferred job.
  var jobUnitsLeft = 0
}
