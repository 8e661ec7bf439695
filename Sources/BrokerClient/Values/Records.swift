// The values that this library and the engine have in common. A program imports BrokerClient only.

@_exported import Records
