import BrokerClient
import Logging
import Records

/// What an offline container is opened with.
public struct OfflineConfiguration: Sendable {
  /// The name of the application, a namespace on the broker. CloudKit: `containerIdentifier`.
  public var name: String
  /// The path of the database file. It is created if it is missing. Assets are in the directory `FILE-assets`
  /// next to it.
  public var file: String
  /// The broker; `nil` for a container that stays on this device. A later start can name one: everything that was
  /// saved before is then sent.
  ///
  /// With `nil` or `.local`, a file that joined an account by an invitation uses the broker of the invitation. Any
  /// other address takes precedence over it, and invitations of other brokers are then rejected.
  public var broker: BrokerAddress?
  /// The account to sign in to; `nil` for the account of the last `signIn(account:)` or invitation, or else for the one
  /// that the broker knows this user or device by. Invitations and sign-ins for other accounts are rejected.
  public var accountName: String?
  /// The name of this device, which users see.
  public var deviceName: String
  /// The indexed fields, each `TYPE.FIELD`, such as `Item.list`. An index changes the time of a query and nothing
  /// else, so indexes can be added and removed at any start.
  public var indexes: [String] = []
  /// For each record type, the field that users know a record by. Conflicts and deleted records are titled by it.
  public var titleFields: [String: String] = [:]
  /// The record types that are kept on this device from the public database. A type follows those that its records
  /// refer to.
  public var publicTypes: [String] = []
  /// Assets up to this size are downloaded with their records; larger ones when their content is read.
  public var downloadedAssetBytes = 2 << 20
  /// The log, by default of warnings and errors only. It contains no content of records.
  public var logger = {
    var logger = Logger(label: "OfflineClient")
    logger.logLevel = .warning
    return logger
  }()

  /// Describes a container.
  /// - Parameters:
  ///   - name: The name of the application.
  ///   - file: The path of the database file.
  ///   - broker: The broker, by default the one installed on this machine.
  ///   - deviceName: The name of this device.
  public init(
    name: String, file: String, broker: BrokerAddress? = .local, deviceName: String
  ) {
    self.name = name
    self.file = file
    self.broker = broker
    self.deviceName = deviceName
  }
}
