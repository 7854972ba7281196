/** Words of what Accord's own database can't keep, and of cycles that it breaks off. */
export const storageTexts = {
  tooLongToCompare:
    "{{field}} is compared with other records or marked as unique: such a text may take up {{limit}} bytes, and this one has {{length}} characters.",
  idTooLong: "Its id takes up more than {{limit}} bytes.",
  valueRefused: "{{field}} can't be stored: {{reason}}.",
  recordRefused: "The database can't store this record: {{reason}}.",
  fieldNotComparable:
    "{{field}} can't be compared with other records: one of them holds a text there that takes up more than {{limit}} bytes. Shorten it, or compare another field.",
  cyclesBreakOff:
    "The cycles of this pipeline break off before their end: {{count}} in a row. It is tried again every few minutes.",
  cyclesBrokeOff: "The cycles of this pipeline have been breaking off for hours.",
} as const;
