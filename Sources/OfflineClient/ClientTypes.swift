// The values of this library are those of BrokerClient. Inside this module their names also exist in Records, so they
// are declared here to mean the client's.

import BrokerClient

/// A file that a record refers to, as in `BrokerClient`.
public typealias Asset = BrokerClient.Asset
/// A database of an account, as in `BrokerClient`.
public typealias Database = BrokerClient.Database
/// The name and zone of a record, as in `BrokerClient`.
public typealias RecordID = BrokerClient.RecordID
/// A reference to another record, as in `BrokerClient`.
public typealias Reference = BrokerClient.Reference
/// The share of a zone, as in `BrokerClient`.
public typealias Share = BrokerClient.Share
/// The link of a share, as in `BrokerClient`.
public typealias ShareLink = BrokerClient.ShareLink
/// The value of a field, as in `BrokerClient`.
public typealias Value = BrokerClient.Value
/// The id of a zone, as in `BrokerClient`.
public typealias ZoneID = BrokerClient.ZoneID
