/// The names of headers that the agent and its clients share.
package enum AgentHeader {
  /// The cursor of the next page of a list.
  package static let nextCursor = "Next-Cursor"
  /// The number of a write's action, for undoing it.
  package static let undoAction = "Undo-Action"
  /// The client's key for a write, by which a repeated request is recognized.
  package static let idempotencyKey = "Idempotency-Key"
  /// Marks the response to a write that was carried out before.
  package static let idempotencyReplayed = "Idempotency-Replayed"
  /// The number of pictures and sounds that an export lacks because they are not on the device.
  package static let mediaMissing = "Media-Missing"
  /// The id of the last event that a client has.
  package static let lastEventID = "Last-Event-ID"
}
