/// Why a subscription is not as it was saved.
package struct SubscriptionError: Codable, Hashable, Sendable {
  package var code: String
  package var message: String
  package var hint: String
  /// The key of the subscription that the error is about.
  package var field: String?
  /// The position in the predicate or text, from 1.
  package var column: Int?

  package init(
    code: String, message: String, hint: String, field: String? = nil, column: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.field = field
    self.column = column
  }
}
