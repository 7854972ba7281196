/** Words of Insights Studio: dashboards, cards, datasets, sharing, and the pages of people outside. */
import { insightsAlerts } from "./insights/alerts.ts";
import { insightsAllowedDomains } from "./insights/allowed-domains.ts";
import { insightsAssistant } from "./insights/assistant.ts";
import { insightsCardTypes } from "./insights/card-types.ts";
import { insightsCards } from "./insights/cards.ts";
import { insightsChanges } from "./insights/changes.ts";
import { insightsDashboards } from "./insights/dashboards.ts";
import { insightsDatasets } from "./insights/datasets.ts";
import { insightsExports } from "./insights/exports.ts";
import { insightsCrossFilter } from "./insights/cross-filter.ts";
import { insightsMirror } from "./insights/mirror.ts";
import { insightsExternalView } from "./insights/external-view.ts";
import { insightsRecords } from "./insights/records.ts";
import { insightsSharing } from "./insights/sharing.ts";
import { insightsSql } from "./insights/sql.ts";

export const insights = {
  ...insightsDashboards,
  ...insightsChanges,
  ...insightsCards,
  ...insightsCardTypes,
  ...insightsDatasets,
  ...insightsExports,
  ...insightsAlerts,
  ...insightsAssistant,
  ...insightsExternalView,
  ...insightsSql,
  ...insightsRecords,
  ...insightsCrossFilter,
  ...insightsSharing,
  ...insightsAllowedDomains,
  ...insightsMirror,
  /** Why a dataset can't run; each names the field and what to do. */
  problem: {
    sources_missing: "Select Data cannot be empty.",
    fields_missing: "Select fields and calculated fields cannot be empty.",
    source_unknown: "The source “{{name}}” no longer exists. Choose another one.",
    source_cycle: "“{{name}}” is built on this dataset, so this dataset can't be built on it.",
    source_too_deep: "“{{name}}” is built on too many other datasets. Five levels are possible.",
    sources_too_many: "With all the datasets below, more than {{limit}} tables are read. Build it on fewer sources.",
    statement_too_long: "This makes too long a statement. Use fewer or shorter formulas and filters, or fewer fields.",
    alias_taken: "The name “{{name}}” is used twice. Rename one of them.",
    field_unknown: "The field “{{name}}” does not exist. It may have been renamed or deleted.",
    field_ambiguous: "Several sources have a field “{{name}}”. Say which: source.{{name}}.",
    source_not_joined: "“{{name}}” is not joined to the other sources. Add a join.",
    join_not_connected: "The join of “{{name}}” leads nowhere. Join it to a source above.",
    join_types_mixed: "All conditions of the join to “{{name}}” need the same join type.",
    join_field_types: "“{{name}}” and “{{other}}” hold different types and can't be joined.",
    aggregate_missing: "“{{name}}” needs an aggregate, or has to be grouped by.",
    aggregate_without_group: "“{{name}}” has an aggregate: turn on grouping, or remove it.",
    aggregate_not_for_type: "“{{name}}” can't be folded that way. Choose another aggregate.",
    aggregate_in_filter: "“{{name}}” is an aggregate. Filter it after grouping instead.",
    grain_not_date: "“{{name}}” is no date, so it can't be cut into days or months.",
    group_field_unknown: "“{{name}}” can't be grouped by: it is not among the selected fields.",
    sort_field_unknown: "“{{name}}” can't be sorted by: it is not among the selected fields.",
    filter_invalid: "A filter can't be used: {{reason}}",
    having_invalid: "A filter on the grouped rows can't be used: {{reason}}",
    formula_invalid: "The formula of “{{name}}” can't be used: {{reason}}",
    variable_unknown: "There is no variable “{{name}}”. Add it or remove where it is used.",
    variable_required: "The variable “{{name}}” needs a value.",
    variable_value_invalid: "The value of the variable “{{name}}” is no {{dataType}}.",
    limit_invalid: "The limit “{{name}}” has to be a whole number of at least 1.",
    written_too_heavy:
      "“{{name}}” computes columns from columns, and this dataset goes on with them in too many steps. Compute less in “{{name}}”, or build on what it is built on.",
    written_too_wide:
      "With all the datasets below, “{{name}}” among them, more than {{limit}} tables stand after FROM and JOIN. Build it on fewer sources.",
    written_too_many:
      "More than {{limit}} datasets written in SQL are read, “{{name}}” among them. Build it on fewer of them.",
    written_too_long:
      "The statements that are read have more than {{limit}} words and signs together, those of “{{name}}” among them. Build it on fewer of them, or shorten them.",
    sql_unavailable: "Datasets written in SQL can't be worked out here.",
    sql_missing: "Write a statement: SELECT … FROM …",
    sql_columns_missing: "The columns of this statement are not known yet. Open the dataset and save it.",
    sql_invalid: "Line {{line}}, column {{column}}: {{reason}}",
    card_incomplete: "This card is not complete yet.",
    card_column_unknown: "The dataset has no column “{{name}}”. Choose another one.",
  },
  mail: {
    shareSubject: "{{sharer}} shared the dashboard “{{dashboard}}” with you",
    shareText: "Hello,\n\n{{sharer}} shared the dashboard “{{dashboard}}” with you.",
    shareLink: "Open it here:\n{{link}}",
    sharePassword:
      "You need a password, which {{sharer}} gives you another way. You can also have a one-time code mailed to this address on that page.",
    shareCode: "On that page, ask for a one-time code; it is mailed to this address.",
    shareUntil: "The dashboard can be opened until {{date}}.",
    codeSubject: "Your code for a shared dashboard",
    codeText:
      "Your code is {{code}}.\n\nIt works once, for {{minutes}} minutes. If you did not ask for it, you can ignore this mail.",
    wrongPasswordsSubject: "Wrong passwords for a dashboard shared with you",
    wrongPasswordsText:
      "Somebody entered ten wrong passwords or codes for a dashboard that is shared with this address. Nobody got in, and you can still open it: further attempts are slowed down.\n\nIf it was you, have a code mailed on that page, or ask the sender for a new password. If it wasn't, nothing needs to be done. You get this mail once a day at most.",
  },
  cardProblem: {
    column_missing: "Choose a column.",
    name_missing: "Give the column a name.",
    format_missing: "Choose how it is shown.",
    max_error: "The maximum has to be above the minimum ({{minimum}}).",
    range_error: "This range overlaps the one that ends at {{maximum}}.",
    range_name_missing: "Give the range a name.",
    legend_position: "The legend can stand: {{allowed}}.",
    too_many_stages: "A funnel has at most {{most}} stages.",
  },
} as const;
