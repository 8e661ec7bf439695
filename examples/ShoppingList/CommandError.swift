/// What a subcommand could not do, in a sentence.
struct CommandError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}
