/** Choices that the server offers to forms of custom synapses. */
export const synapseSharing = {
  PRIVATE: "This instance only",
  SUBSCRIPTION: "All instances of the organisation",
  INSTANCES: "Chosen instances",
  GLOBAL: "All instances of this installation",
} as const;

export const synapsePaging = {
  none: "No paging: one call answers all records",
  page: "Page number",
  offset: "Offset and limit",
  cursor: "Cursor in the answer",
  nextLink: "Next address in the answer",
  linkHeader: "Next address in the Link header",
  lastRecord: "Id of the last record",
} as const;

export const synapseDatatypes = {
  string: "Text",
  integer: "Whole number",
  double: "Number",
  decimal: "Exact number",
  boolean: "Yes or no",
  date: "Date",
  datetime: "Date and time",
  object: "Object",
  picklist: "Picklist",
  password: "Secret",
} as const;
