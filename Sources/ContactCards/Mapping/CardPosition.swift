// `GEO`, a geographic position. Version 3.0 writes latitude and longitude separated by a semicolon, 4.0 a URI
// of the scheme `geo` (RFC 5870). A contact retains the property as it was read. It is converted when it is
// written, because a program that supports one form may not support the other.

/// Conversion of positions between the versions of the format.
enum CardPosition {
  /// Returns `property` in the form of `version`. Other properties and invalid positions are returned
  /// unchanged.
  static func converted(_ property: CardProperty, to version: CardVersion) -> CardProperty {
    guard property.name.isSame(as: "GEO") else { return property }
    guard let position = position(property.value) else { return property }
    var converted = property
    switch version {
    case .two, .three:
      converted.value = "\(position.latitude);\(position.longitude)"
      converted.take("VALUE")
    case .four:
      let isAddress = property.value.lowercased().hasPrefix(scheme)
      if !isAddress { converted.value = "\(scheme)\(position.latitude),\(position.longitude)" }
    }
    return converted
  }

  private static let scheme = "geo:"

  private static func position(_ value: String) -> (latitude: Substring, longitude: Substring)? {
    let isAddress = value.lowercased().hasPrefix(scheme)
    // A `geo` URI may have an altitude and parameters, for which 3.0 has no place.
    let numbers =
      isAddress
      ? value.dropFirst(scheme.count).prefix { $0 != ";" }.split(separator: ",").prefix(2)
      : CardText.unescaped(value).split(separator: ";", omittingEmptySubsequences: false)[...]
    guard numbers.count == 2, let latitude = numbers.first, let longitude = numbers.last,
      isNumber(latitude, limit: 90), isNumber(longitude, limit: 180)
    else { return nil }
    return (trimmed(latitude), trimmed(longitude))
  }

  private static func isNumber(_ text: Substring, limit: Double) -> Bool {
    let number = trimmed(text)
    guard number.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else { return false }
    return Double(number).map { abs($0) <= limit } ?? false
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    // RFC 5870 does not allow a plus sign.
    return text.first == "+" ? text.dropFirst() : text
  }
}
