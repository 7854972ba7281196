/** How changes of an entity are found, what that costs and can't see. */
export const changes = {
  title: "How changes are found",
  unknown: "The system can't be asked just now. Of a source that was just added it is known once the draft is saved.",
  methods: {
    replication:
      "By logical replication: the database's log says which rows changed and which were deleted, within seconds. A poll costs what changed, however large the table. The database keeps its log until Accord has read it.",
    indexedWatermark:
      "By row versions: each poll asks the index of the watermark, and the table ({{size}}) is read through now and then, for a tenth of the time at most. A change that leaves the watermark alone comes with that: minutes late, later where one reading takes minutes. Deletions are found by listing the ids.",
    counters:
      "By row versions: the table ({{size}}) is read through when its counters have moved, for a tenth of the time at most. A change waits up to nine times as long as one reading takes, and minutes if its connection reports its counters late. An index on the watermark or logical replication makes it faster. Deletions are found by listing the ids.",
    intervalScan:
      "By row versions: the table ({{size}}) is read through again and again, for a tenth of the time at most, since nothing tells whether it changed (this server is a standby, or a part of the table lies elsewhere). A change waits up to nine times as long as one reading takes. An index on the watermark, or logical replication from the primary, makes it faster. Deletions are found by listing the ids.",
    tableScan:
      "By row versions: the table is read through when anything was written in the database ({{size}}). Every committed change is seen. Deletions are found by listing the ids.",
    watermark:
      "By time stamp: only records stamped since the last reading are read. A change that leaves its time stamp alone, or sets an old one, is not seen.",
    listedWatermark:
      "By time stamp: only records stamped since the last reading are read. A change that leaves its time stamp alone, or sets an old one (as an application does that stamps in a zone behind the database's), is found minutes late, by the complete list that is read for deleted records; never by a source that takes no deletions.",
    scannedWatermark:
      "By time stamp: only rows stamped since the last reading are read. The time stamp has no index, so that each look reads the table ({{size}}) through when it was changed: an index on it makes that cheap. A change that leaves its time stamp alone, or sets an old one (as an application does that stamps in a zone behind the database's), is found minutes late, by the complete list that is read for deleted records; never by a source that takes no deletions.",
    position: "What was added behind the place where reading stopped is read.",
    posts: "The system posts its changes. What it does not post is not seen.",
    comparison: "All records are read and compared each time: the cost grows with their number.",
    changedTable:
      "All rows are read and compared when the database calls the table ({{size}}) changed since the last reading, and every ten minutes in any case. A time of change, filled in by each update, makes it cheaper. Deletions are found by listing the ids.",
    changedFile:
      "All rows are read and compared when the file was changed since the last reading, and every fifteen minutes in any case, since formulas change by themselves; with each poll where the file's version may not be asked for. Deletions are found by listing the ids.",
  },
  timeOfReading:
    "A change that leaves the watermark alone counts as made when it is read, and so does every change of a table without one: of two edits made while nothing was read, it passes for the later.",
  failover:
    "When another server takes over or the database is restored, all rows are read again and vanished ones are looked for. A restored disk snapshot goes on as the same server: run a complete resync after it.",
  slot: "Retained for Accord in the database's log: {{size}}.",
  slotMuch: "That is more than the limit for a warning in the connection's settings.",
  replicationAvailable:
    "Logical replication is possible here: choose it in the connection's advanced settings and polls cost what changed.",
  replicationProblems: {
    notATable: "Logical replication is not possible: this is a view or a foreign table.",
    standby: "Logical replication is not possible: this server is a standby. Connect to the primary.",
    walLevel:
      "Logical replication needs wal_level = logical. A superuser runs this, then the database server has to be restarted:",
    role: "Logical replication needs the right to replicate. A superuser runs:",
    replicaIdentity:
      "Logical replication needs the id in the table's replica identity, which says what the log tells of a deleted row. The table's owner runs this (FULL logs whole rows; a primary key costs less):",
    publication: "Logical replication needs a publication of this table. The table's owner runs:",
    noFreeSlot:
      "Logical replication needs a free replication slot, and all are taken. A superuser runs this, then the database server has to be restarted:",
  },
} as const;
