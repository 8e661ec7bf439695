import Records

extension RecordsError {
  /// With `serverRecordChanged`, the current record at the broker: merge the edit into it and save it.
  /// `nil` if the record was deleted, or if the broker omitted it (`reason` is `omitted`; fetch it then).
  /// CloudKit: `CKRecordChangedErrorServerRecordKey`.
  public var serverRecord: Record? { attachment?.value as? Record }

  /// Returns the error with the broker's record.
  package func with(serverRecord record: Record?) -> RecordsError {
    var error = self
    error.attachment = record.map(Attachment.init)
    return error
  }
}
