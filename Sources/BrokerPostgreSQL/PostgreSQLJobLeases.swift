import BrokerCore
import BrokerStore
import Records
import SQLConnections

/// The table `job_lease`: which of the brokers on one database does which maintenance job. The times are the server's.
struct PostgreSQLJobLeases: JobLeaseTable {
  static let schema = """
    CREATE TABLE job_lease (
      job text COLLATE "C" PRIMARY KEY,
      holder bytea NOT NULL,
      expires_at bigint NOT NULL
    );
    """

  func acquire(
    _ job: Job, for broker: BrokerProcessID, at now: Timestamp, in db: any SQLConnection
  ) throws -> Bool {
    let changed = try db.countChanges(
      """
      INSERT INTO job_lease (job, holder, expires_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE job_lease.holder = excluded.holder OR job_lease.expires_at <= ?4
      """,
      [
        job.rawValue, broker.bytes, now.adding(seconds: JobLeases.seconds).microseconds,
        now.microseconds,
      ])
    return changed == 1
  }

  func release(_ job: Job, by broker: BrokerProcessID, in db: any SQLConnection) throws {
    try db.run(
      "DELETE FROM job_lease WHERE job = ? AND holder = ?", [job.rawValue, broker.bytes])
  }
}
