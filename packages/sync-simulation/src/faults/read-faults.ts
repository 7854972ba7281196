/** Faults injected into how changes are found: where reading starts, how far it reaches back, what counts as seen. */
import type { SourceRecord } from "@accord/connector-sdk";
import { START } from "../systems/fake-system.ts";
import { moment } from "../systems/system-clock.ts";
import type { NamedFaults } from "./injected-fault.ts";
import { EMPTY_CONTACT } from "../scenario/scenario-fields.ts";
import type { Scenario } from "../scenario/scenario.ts";

const hasKind =
  (kind: "watermark" | "listing") =>
  ({ reading }: Scenario): boolean =>
    reading?.kinds.includes(kind) === true;

export const READING_FAULTS: NamedFaults = {
  sinceFiltersAll: {
    says: "Changes whose time is older than the publication are never read, whatever clock gave that time.",
    shows: ({ reading }) => reading?.startsAtPublication === true,
    input: (input) => {
      if (input.kind !== "pageRead") return input;
      const records = input.page.records.filter(({ modifiedAt }) => !modifiedAt || modifiedAt >= moment(START));
      return { ...input, page: { ...input.page, records } };
    },
  },
  publicationIgnored: {
    says: "What a system held before the pipeline was published is never read, though it is to be brought in.",
    shows: ({ reading }) => reading?.startsAtPublication === false,
    effect: (effect) =>
      effect.kind === "read" && effect.mode === "changes" ? { ...effect, since: moment(START) } : effect,
  },
  oldTimesAreOld: {
    says: "A present state counts as an old one that came late when its time of change went back.",
    shows: ({ reading }) => reading?.hasImports === true && reading.areCurrent.includes(true),
    input: (input) => (input.kind === "pageRead" ? { ...input, page: { ...input.page, isCurrent: false } } : input),
  },
  noOverlap: {
    says: "A watermark does not reach back behind the last pass: what a clock that was put back stamps is missed.",
    shows: hasKind("watermark"),
    from: 4733,
    reader: { readsWithoutOverlap: true },
  },
  vanishedIsEmpty: {
    says: "A field that vanished from a system is told as an empty one.",
    shows: ({ drift }) => drift !== null,
    input: (input) => {
      const filled = (record: SourceRecord): SourceRecord => ({
        ...record,
        values: { ...EMPTY_CONTACT, ...record.values },
      });
      if (input.kind === "gotById") return { ...input, records: input.records.map(filled) };
      if (input.kind !== "pageRead") return input;
      return { ...input, page: { ...input.page, records: input.page.records.map(filled) } };
    },
  },
  seamsIgnored: {
    says: "Numbered pages are taken as they come, whatever slid from one to another while they were read.",
    shows: ({ hasNumberedLists }) => hasNumberedLists.includes(true),
    reader: { ignoresSeams: true },
  },
  passMarksItsEnd: {
    says: "What changes while a pass goes on counts as seen by it.",
    shows: hasKind("watermark"),
    reader: { readsWithoutOverlap: true, marksTheEnd: true },
  },
};
