/// The body of a response that only states that the request was carried out before.
package struct RepeatedView: Codable, Hashable, Sendable {
  package var schema = 1
  package var repeated: Bool
  /// The number for undoing the request's action.
  package var action: Int64?

  package init(repeated: Bool, action: Int64?) {
    self.repeated = repeated
    self.action = action
  }
}
