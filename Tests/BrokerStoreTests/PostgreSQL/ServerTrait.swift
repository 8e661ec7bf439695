import Processes
import Testing

/// Whether this machine can run the tests that need a PostgreSQL server.
let hasPostgreSQL = ConditionTrait.disabled(
  if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")")
