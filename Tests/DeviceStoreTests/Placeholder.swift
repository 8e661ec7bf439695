// Suites of this target follow.
