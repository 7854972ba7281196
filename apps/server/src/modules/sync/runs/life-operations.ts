/** Operations of ledger entries that say whether the record lives. */
export const LIFE_OPERATIONS = ["create", "update", "delete", "restore", "attach"] as const;
