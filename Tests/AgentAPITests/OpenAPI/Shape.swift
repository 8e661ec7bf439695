/// The form of a JSON value, as a type of the API or a schema of docs/openapi.yaml describes it.
indirect enum Shape: Equatable {
  case text, time, integer, number, boolean
  /// A text, a number or a boolean.
  case scalar
  /// An object with any keys, whose values are texts.
  case texts
  case anything
  case list(Shape)
  /// An object; a closed one has no other keys.
  case object([String: Property], isClosed: Bool)

  /// The value of a key.
  struct Property: Equatable {
    var shape: Shape
    var isRequired = true
    var isNullable = false
  }

  /// The name of the JSON type.
  private var name: String {
    switch self {
    case .text: "a text"
    case .time: "a time"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "a boolean"
    case .scalar: "a text, number or boolean"
    case .texts: "an object of texts"
    case .anything: "anything"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// Returns a sentence for each difference between the shape of a type and the `page`.
  func differences(from page: Shape, at path: String) -> [String] {
    switch (self, page) {
    case (.list(let own), .list(let described)):
      return own.differences(from: described, at: path + "[]")
    case (.object(let own, let isClosed), .object(let described, let isDescribedClosed)):
      let closing =
        isClosed == isDescribedClosed
        ? [] : ["\(path): unknown keys are \(isClosed ? "rejected" : "accepted") by the type only"]
      return closing + Self.differences(own, described, at: path)
    case (let own, let described):
      return own == described
        ? [] : ["\(path): \(own.name) of the type is \(described.name) in the page"]
    }
  }

  private static func differences(
    _ own: [String: Property], _ described: [String: Property], at path: String
  ) -> [String] {
    Set(own.keys).union(described.keys).sorted().flatMap { key -> [String] in
      let place = "\(path).\(key)"
      guard let property = own[key] else { return ["\(place): only in the page"] }
      guard let other = described[key] else { return ["\(place): only in the type"] }
      var found = property.shape.differences(from: other.shape, at: place)
      if property.isRequired != other.isRequired {
        found.append("\(place): required only in the \(other.isRequired ? "page" : "type")")
      }
      if property.isNullable != other.isNullable {
        found.append("\(place): nullable only in the \(other.isNullable ? "page" : "type")")
      }
      return found
    }
  }

  /// Returns the object with these keys required.
  func requiring(_ keys: Set<String>) -> Shape {
    guard case .object(var properties, let isClosed) = self else { return self }
    for key in keys {
      properties[key]?.isRequired = true
      properties[key]?.isNullable = false
    }
    return .object(properties, isClosed: isClosed)
  }

  /// Returns the shape that satisfies both this one and `other`, for `allOf`.
  func narrowed(by other: Shape) -> Shape {
    switch (self, other) {
    case (.anything, let shape), (let shape, .anything): return shape
    case (.list(let left), .list(let right)): return .list(left.narrowed(by: right))
    case (.object(let left, let isLeftClosed), .object(let right, let isRightClosed)):
      let merged = left.merging(right) { left, right in
        Property(
          shape: left.shape.narrowed(by: right.shape),
          isRequired: left.isRequired || right.isRequired,
          isNullable: left.isNullable && right.isNullable)
      }
      return .object(merged, isClosed: isLeftClosed || isRightClosed)
    default: return self
    }
  }
}
