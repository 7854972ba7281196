/** Words of explanations: what would happen to a record at a source or a destination, and why. */
export const explain = {
  source: {
    changes: "Reading it again from {{place}} would change the record.",
    unchanged: "{{place}} brings nothing that the record does not hold already.",
    refused: "{{place}} brings other values, but they do not win.",
    filtered: "It ends on its way from {{place}}: no path leads it to the core entity.",
    failed: "It fails on its way from {{place}} and would wait in quarantine.",
    deletes: "It no longer exists in {{place}}: the record would be deleted.",
    gone: "It no longer exists in {{place}}.",
    unreadable: "{{place}} could not be asked: {{reason}}",
    no_single_read: "{{place}} can't be asked for a single record; the next reading will tell.",
  },
  destination: {
    create: "{{place}} would get it as a new record.",
    update: "{{place}} would be updated; changed fields: {{count}}.",
    delete: "It would be deleted in {{place}}.",
    up_to_date: "{{place}} holds all of it already.",
    filtered: "It ends on its way to {{place}}: no path leads it there.",
    failed: "It fails on its way to {{place}}.",
    not_allowed: "This destination is not set to {{deed}} records in {{place}}.",
    put_aside: "{{place}} refused it; it waits in quarantine: {{reason}}",
  },
  /** What a destination's settings may forbid. */
  deed: {
    create: "create",
    recreate: "create again deleted",
    update: "update",
    delete: "delete",
  },
  field: {
    differs: "differs from what is there",
    held_there: "is there already",
    goes_along: "goes along, since another value differs",
    create_only: "is only sent when the record is created there",
    empty: "is empty",
    not_convertible: "does not fit the field's type there",
    reference_unknown: "refers to a record that is not known there yet",
  },
  /** Where nothing says more. */
  notWritten: {
    not_allowed: "this destination is not set to do that",
    failed: "it fails on its way",
  },
  refusal: {
    empty_rejected: "empty values do not overwrite here",
    older: "a newer value is known",
    lower_ranked: "a more trusted source has set it",
    not_selected: "only the selected source may set it",
    not_convertible: "it does not fit the field's type",
    stale_read: "it was read before a newer change",
    deleted: "the record had been deleted elsewhere",
    alternates: "each write of it was followed by another value",
    unconfirmed: "it may be an older value as that system stores it, and a newer one was there already",
  },
} as const;
