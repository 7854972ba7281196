/** The few words a chart says by itself. */
import type { VizType } from "@accord/contracts/insights/cards";
import { insightsCardTypes } from "@accord/contracts/messages/en/insights/card-types";

export interface ChartWords {
  /** The sum of what was too small or too much to show. */
  other: string;
  /** The same, when it is known of how many. */
  otherOf: (count: number) => string;
  /** No value. */
  blank: string;
  /** A text without characters: not the same as no value. */
  emptyText: string;
  total: string;
  /** A goal or limit that has no name of its own. */
  reference: string;
  /** Ends a summary that doesn't list all values. */
  more: (count: number) => string;
  /** The name of what leads to the records of a mark. */
  records: (label: string) => string;
  /** The kind of a chart, in its name. */
  kindOf: (type: VizType) => string;
  /** What the keys do, after the summary of a chart. */
  keys: string;
  /** What Enter does where records are offered. */
  enter: string;
  /** Said of a mark that adds up what is not shown by itself. */
  addedUp: string;
  /** Said of a mark that has no value: nothing is drawn for it. */
  noValue: string;
  /** Said of a place that the answer has no row for. */
  noRows: string;
  /** Said of a mark that other cards are filtered by. */
  chosen: string;
  /** Why Enter leads nowhere: nothing was counted there. */
  noRecords: string;
  /** Why Enter leads nowhere: records are not offered to this reader, or not here. */
  notOffered: string;
}

export const ENGLISH: ChartWords = {
  other: "Other",
  otherOf: (count) => `Other (${count} more)`,
  blank: "(blank)",
  emptyText: "(empty text)",
  total: "Total",
  reference: "Reference line",
  more: (count) => `and ${count} more`,
  records: (label) => `Records of ${label}`,
  kindOf: (type) => insightsCardTypes.cardType[type].kind,
  keys: "Arrow keys go through its marks, Escape leaves them.",
  enter: "Enter opens the records of a mark.",
  addedUp: "several values added up",
  noValue: "no value",
  noRows: "no rows",
  chosen: "filters the dashboard",
  noRecords: "No records are behind this mark.",
  notOffered: "The records behind this mark can't be opened here.",
};
