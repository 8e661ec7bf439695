// Nothing to call: the tables count by being linked.
