/** Words of filters of a dashboard by marks of its cards. */
export const insightsCrossFilter = {
  crossFilter: {
    title: "Filters of the dashboard",
    by: "Filter the dashboard by {{filter}}",
    is: "{{column}} is {{value}}",
    and: "and",
    or: "or",
    more_one: "{{count}} more",
    more_other: "{{count}} more",
    from: "Chosen on {{card}}",
    remove: "Remove the filter: {{filter}}",
    clear: "Remove all filters",
    full: "Too much is chosen: the address of the dashboard would be too long. Remove a filter, or choose fewer marks.",
    withoutColumn_one: "{{count}} card doesn't have this column",
    withoutColumn_other: "{{count}} cards don't have this column",
    unfiltered_one: "{{count}} card is not filtered",
    unfiltered_other: "{{count}} cards are not filtered",
    unfilteredBy: "Not filtered by {{filter}}",
    reason: {
      column_missing: "has no column “{{column}}” in its dataset.",
      column_ambiguous: "has several columns “{{column}}” in its dataset, of different records.",
      dates_coarser: "has the dates of “{{column}}” in longer periods than the chosen one.",
      value_not_shown: "stays as it is: the chosen value is no longer on the card that it was chosen on.",
      card_changed:
        "stays as it is: the card that the value was chosen on was changed since. Remove the filter, and choose again.",
      card_broken: "stays as it is: the card that the value was chosen on can't be worked out.",
    },
  },
  mark: {
    of: "Filter by {{label}}",
  },
} as const;
