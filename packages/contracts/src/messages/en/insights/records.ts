/** Words of what leads from a mark of a card to its records. */
export const insightsRecords = {
  records: {
    of: "Records of {{label}}",
    searching: "Finding the records…",
    show_one: "Show {{number}} record",
    show_other: "Show {{number}} records",
    none: "There are no records any more. They changed since the card was drawn.",
    close: "Close",
  },
  /** Why no filter of records can say what is behind a mark. */
  noRecords: {
    joined_rows:
      "The dataset joins records so that one of them can be in several rows or in none. A filter of records can't say which.",
    joined_field:
      "“{{name}}” comes from other records than those counted here. A filter of records can't look into them.",
    joined_filter:
      "The dataset filters by “{{name}}”, which comes from other records. A filter of records can't look into them.",
    computed_field: "“{{name}}” is worked out by a formula. A filter of records can only compare stored fields.",
    computed_filter:
      "The dataset filters by “{{name}}”, which is worked out. A filter of records can only compare stored fields.",
    grouped_filter: "The dataset filters its groups. A filter of records can't look at groups.",
    dataset_limit: "The dataset takes only its first rows. A filter of records can't say which those are.",
    written_in_sql: "The dataset is written in SQL. Which records are in its rows can't be known from that.",
    single_row: "A row of this card is one row of its dataset, and nothing in it says which record that is.",
    system_field: "“{{name}}” is no field of the entity, and records can't be filtered by it.",
    other_dates: "“{{name}}” adds up the dates that are not shown. A filter of records can't leave out so many dates.",
    value_type: "Records can't be filtered by this value of “{{name}}”.",
    similar_values:
      "Some records hold an empty text or differ in capital letters only. The card distinguishes them, a filter of records can't.",
    filter_too_long: "It takes too long a filter to say which records these are.",
  },
} as const;
