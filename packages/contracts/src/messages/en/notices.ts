/** Words of notifications that the product itself writes. */
export const notices = {
  pipelineStopped: "{{name}} stopped with an error",
  pipelineProbes: "It is tried again every 15 minutes and goes on by itself once this works.",
  pipelineGoesOn: "{{name}} goes on: its systems answer again",
  systemFails: "{{name}}: {{system}} fails",
  systemFailsSince: "{{reason}} It fails since {{since}} and is tried again by itself.",
  pipelineCannotRun: "{{name}} can't run",
  systemWorks: "{{name}}: {{system}} works again",
  recordsQuarantined_one: "{{name}}: a record is in quarantine",
  recordsQuarantined_other: "{{name}}: {{count}} records are in quarantine",
  recordsQuarantinedDetail: "See why, fix the cause, then try again.",
  resyncDone: "{{name}}: the reading of existing records is complete",
  resyncCancelled: "The resync of {{name}} was cancelled",
  tooManyDuplicates: "{{name}}: more duplicates than allowed",
  tooManyDuplicatesDetail: "None of them was merged. Review what counts as a duplicate, or allow more of them.",
} as const;

/** Warnings about replication slots, by their code. */
export const slotTexts = {
  slot_retains_much: {
    message: "The database of {{source}} retains {{gigabytes}} GB of its log until this source is read.",
    detail:
      "Its disk fills up meanwhile. See why the pipeline does not read: it may be paused or stopped. Beyond the limit in the connection's settings the replication slot is dropped, and the source is compared completely.",
  },
  slot_dropped: {
    message: "The replication slot of {{source}} was dropped: it retained {{gigabytes}} GB of the database's log.",
    detail:
      "All rows are read again with the next cycle, so nothing is lost. Raise the limit in the connection's settings if the pipeline may rest for longer.",
  },
} as const;
