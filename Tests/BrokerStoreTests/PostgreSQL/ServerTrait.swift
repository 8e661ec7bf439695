import Processes
import Testing

/// The tests that need a PostgreSQL server run when `STORE=postgresql` asks for them, as in `make check`.
let onPostgreSQL = ConditionTrait.enabled(
  if: BrokerStoreKind.ofThisRun == .postgreSQL, "STORE=postgresql runs these tests.")
