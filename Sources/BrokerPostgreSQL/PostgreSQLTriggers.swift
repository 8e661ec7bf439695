// The functions and triggers of the broker on PostgreSQL: what the broker on SQLite has in its schema as well.

import BrokerCore
import BrokerStore
import Records

/// The functions and triggers of the broker on PostgreSQL. The triggers do the same as those on SQLite: a record's
/// former state is copied to `past`, and bytes and charges are counted, whichever statement makes a change.
enum PostgreSQLTriggers {
  static let all = [functions, history, counts, assets]

  /// Functions that SQLite has and PostgreSQL has not.
  private static let functions = """
    CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
      RETURN greatest($1, $2);
    CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
      RETURN least($1, $2);
    CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE
      RETURN upper(encode($1, 'hex'));
    """

  private static let history = """
    CREATE FUNCTION record_past() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      \(RecordHistoryTable.expiry);
      INSERT INTO past (record, author, slot, zone, revision, kind, type, created_at, created_device,
        created_number, modified_at, modified_device, modified_number, superseded_at, fields, checksum,
        former_versions)
      VALUES (old.key, \(RecordHistoryTable.author), old.states, old.zone, old.revision,
        old.kind, old.type, old.created_at, old.created_device, old.created_number, old.modified_at,
        old.modified_device, old.modified_number, new.modified_at, old.fields, old.checksum,
        old.former_versions);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_past AFTER UPDATE OF revision ON record
      FOR EACH ROW EXECUTE FUNCTION record_past();
    CREATE FUNCTION record_past_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM past WHERE record = old.key;
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_past_end AFTER DELETE ON record
      FOR EACH ROW EXECUTE FUNCTION record_past_end();
    """

  private static let counts = """
    CREATE FUNCTION state_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      gone bigint := \(BrokerLimits.bytesPerState) + length(old.fields);
    BEGIN
      UPDATE zone SET stored_bytes = greatest(0, stored_bytes - gone),
        participants_bytes = greatest(0, participants_bytes - CASE
          WHEN owner = (SELECT account FROM device WHERE key = old.modified_device) THEN 0
          ELSE gone END)
        WHERE key = old.zone;
      UPDATE public_bytes SET bytes = greatest(0, bytes - gone)
        WHERE (container, account) = (
          SELECT zone.container, device.account FROM zone
            JOIN device ON device.key = old.created_device
          WHERE zone.key = old.zone AND zone.owner = (
            SELECT key FROM account WHERE id = decode('\(publicAccount)', 'hex')));
      RETURN NULL;
    END $$;
    CREATE TRIGGER past_removed AFTER DELETE ON past
      FOR EACH ROW EXECUTE FUNCTION state_removed();
    CREATE TRIGGER record_removed AFTER DELETE ON record
      FOR EACH ROW EXECUTE FUNCTION state_removed();
    INSERT INTO account (id, name, created_at, is_disabled)
      VALUES (decode('\(publicAccount)', 'hex'), '', 0, 1);
    """

  private static let publicAccount = AccountID.public.bytes.map { byte in
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }.joined()

  private static let assets = """
    CREATE FUNCTION asset_entered() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO asset_charge
        VALUES (new.container, new.account, new.size, new.size * new.by_participant)
      ON CONFLICT (container, account) DO UPDATE SET bytes = asset_charge.bytes + new.size,
        participants_bytes = asset_charge.participants_bytes + new.size * new.by_participant;
      RETURN NULL;
    END $$;
    CREATE TRIGGER asset_entered AFTER INSERT ON asset
      FOR EACH ROW EXECUTE FUNCTION asset_entered();
    CREATE FUNCTION asset_left() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE asset_charge SET bytes = bytes - old.size,
        participants_bytes = participants_bytes - old.size * old.by_participant
        WHERE container = old.container AND account = old.account;
      DELETE FROM asset_lost WHERE digest = old.digest
        AND NOT EXISTS (SELECT 1 FROM asset WHERE digest = old.digest);
      RETURN NULL;
    END $$;
    CREATE TRIGGER asset_left AFTER DELETE ON asset
      FOR EACH ROW EXECUTE FUNCTION asset_left();
    """
}
