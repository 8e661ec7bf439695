/// The result of emptying the trash.
package struct ErasedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The number of contacts.
  package var erased: Int

  package init(erased: Int) {
    self.erased = erased
  }
}
