/** What a preview asks, what was answered, and what is saved of it. */
import type { FileTablePreview } from "@accord/contracts/connections/connector-files";
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import type { FileSettings, PartialFileSettings } from "@accord/contracts/connections/file-settings";

/** Whether files are uploaded for it. */
export const readsUploads = ({ metadataId, config }: Pick<ConnectorDetail, "metadataId" | "config">): boolean =>
  metadataId === "files" && config["place"] === "uploaded";

export type Question = FileTablePreview["questions"][number];
/** By entity. */
export type Chosen = Readonly<Record<string, PartialFileSettings>>;

/** What decides how a file is cut: what was said of its values before may mean nothing then. */
const LAYOUT: readonly (keyof FileSettings)[] = ["delimiter", "encoding", "header"];

export function choose(chosen: Chosen, entity: string, part: PartialFileSettings): Chosen {
  const before = { ...chosen[entity] };
  if (LAYOUT.some((setting) => setting in part)) {
    delete before.dates;
    delete before.numbers;
    delete before.idColumn;
  }
  return { ...chosen, [entity]: { ...before, ...part } };
}

/** Questions stay in view with their answers: those that are open now, and those that were answered before. */
export function asked(
  tables: readonly FileTablePreview[],
  earlier: Readonly<Record<string, readonly Question[]>>,
  chosen: Chosen,
): Record<string, Question[]> {
  return Object.fromEntries(
    tables.map(({ entity, questions }) => {
      const answered = (earlier[entity] ?? []).filter(
        ({ setting }) => chosen[entity]?.[setting] !== undefined && !questions.some((open) => open.setting === setting),
      );
      // In one order, whichever is answered first.
      return [entity, [...questions, ...answered].sort((a, b) => (a.setting < b.setting ? -1 : 1))];
    }),
  );
}

export const hasOpenQuestions = (tables: readonly FileTablePreview[]): boolean =>
  tables.some(({ questions }) => questions.length > 0);

export const settingsToSave = (tables: readonly FileTablePreview[]): Record<string, FileSettings> =>
  Object.fromEntries(tables.map(({ entity, settings }) => [entity, settings]));

/** `3 April 2026` for `03/04/2026` with the day first; the text itself where that is no day. */
export function dayOf(example: string, order: "dayFirst" | "monthFirst"): string {
  const [first = 0, second = 0, year = 0] = (example.match(/\d+/g) ?? []).map(Number);
  const [day, month] = order === "dayFirst" ? [first, second] : [second, first];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return example;
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** `1234` or `1.234`: what the digits are with these separators. */
export const numberOf = (example: string, style: "point" | "comma"): string =>
  style === "point" ? example.replaceAll(",", "") : example.replaceAll(".", "").replace(",", ".");

/** What speaks against the column that rows are known by; null where nothing does. */
export function idFlaw({ ids, settings }: FileTablePreview): FileTablePreview["ids"][number] | null {
  const counts = ids.find(({ column }) => column === settings.idColumn);
  return counts && counts.doubled + counts.empty > 0 ? counts : null;
}
