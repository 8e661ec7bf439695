/// A statement that the server knows by a name, for parameters of certain types.
final class PreparedForm {
  let name: String
  let sql: String
  let types: [UInt32]
  /// The cursor that the statement declares, if it declares one.
  let cursor: String?
  /// The generation of the connection's statements in which the server prepared it, or was asked to.
  var generation: Int?

  init(name: String, sql: String, types: [UInt32], cursor: String?) {
    self.name = name
    self.sql = sql
    self.types = types
    self.cursor = cursor
  }
}
