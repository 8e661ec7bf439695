// The values of this library are those of BrokerClient. Inside this module their names also exist in Records, so they
// are declared here to mean the client's.

import BrokerClient

/// A file that a record refers to, as in `BrokerClient`.
public typealias Asset = BrokerClient.Asset
/// A database of an account, as in `BrokerClient`.
public typealias Database = BrokerClient.Database
/// One of the three databases, as in `BrokerClient`.
public typealias DatabaseScope = BrokerClient.DatabaseScope
/// The name and zone of a record, as in `BrokerClient`.
public typealias RecordID = BrokerClient.RecordID
/// A reference to another record, as in `BrokerClient`.
public typealias Reference = BrokerClient.Reference
/// How a save treats a record that has changed, as in `BrokerClient`.
public typealias SavePolicy = BrokerClient.SavePolicy
/// The share of a zone, as in `BrokerClient`.
public typealias Share = BrokerClient.Share
/// The link of a share, as in `BrokerClient`.
public typealias ShareLink = BrokerClient.ShareLink
/// What a participant may do, as in `BrokerClient`.
public typealias SharePermission = BrokerClient.SharePermission
/// The value of a field, as in `BrokerClient`.
public typealias Value = BrokerClient.Value
/// The id of a zone, as in `BrokerClient`.
public typealias ZoneID = BrokerClient.ZoneID
