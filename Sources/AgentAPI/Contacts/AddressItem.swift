/// A postal address of a contact.
package struct AddressItem: Codable, Hashable, Sendable {
  package var id = ""
  /// What it is for: `home`, `work`, or any other word.
  package var label = ""
  package var street1 = ""
  package var street2 = ""
  package var city = ""
  package var state = ""
  package var zipcode = ""
  package var country = ""
  @Sparse package var countryCode = ""
  @Sparse package var poBox = ""
  @Sparse package var kinds: [String] = []
  /// From 1, the most preferred, to 100.
  @Sparse package var preference: Int? = nil
  /// The group that connects it with other properties of its card.
  @Sparse package var group = ""
  /// The name of the card's property, if not the usual one.
  @Sparse package var name = ""
  /// Further parameters in the card's syntax.
  @Sparse package var parameters = ""

  /// Creates an empty address.
  package init() {}
}
