/// The forms of one statement by the types of its parameters.
struct StatementForms {
  private var forms: [[UInt32]: PreparedForm] = [:]
  /// The types of the last values that were not NULL.
  private var known: [UInt32]

  /// Creates the forms of a statement with this number of parameters.
  init(parameterCount: Int) {
    known = [UInt32](repeating: ValueType.unspecified.rawValue, count: parameterCount)
  }

  /// Returns the form for the types of `parameters`, which `make` creates before its first use.
  ///
  /// NULL takes the type that the parameter had before, so that a statement with many parameters that may be NULL
  /// does not need a form for each combination.
  mutating func form(
    for parameters: StatementParameters, make: ([UInt32]) -> PreparedForm
  ) -> PreparedForm {
    let types = parameters.types(known: known)
    known = types
    if let form = forms[types] { return form }
    let form = make(types)
    forms[types] = form
    return form
  }
}
