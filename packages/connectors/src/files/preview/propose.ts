/** How a table seems to be written: what was chosen, what was said of earlier versions, what the file proves, and what has to be asked. */
import type { FileSettings, PartialFileSettings } from "@accord/contracts/connections/file-settings";
import { problemOf, type FileSource, type Row } from "../formats/format.ts";
import { delimiterName, detectEncoding, EncodingError, HEAD_BYTES, layoutOf } from "../formats/layout.ts";
import { withFile, type Bytes } from "../places/place.ts";
import { Ambiguities, type Question } from "./ambiguity.ts";

export interface Said {
  /** Now, by whoever looks at it. */
  chosen: PartialFileSettings;
  /** Of earlier versions. */
  known: PartialFileSettings;
}

type EachPage = (settings: FileSettings, take: (rows: readonly Row[]) => void) => Promise<unknown>;

export interface TableReader {
  eachPage: EachPage;
  /** Columns that are numbers with these settings. */
  numericColumns: (settings: FileSettings) => Promise<ReadonlySet<string>>;
}

export async function propose(
  source: FileSource,
  { chosen, known }: Said,
  { eachPage, numericColumns }: TableReader,
): Promise<{ settings: FileSettings; questions: Question[] }> {
  const initial = await proposeLayout(source, { chosen, known });
  const { facts, settings } = await factsOf(source, initial, { chosen, eachPage });
  const dates = facts.dates();
  const numbers = facts.provenNumbers();
  // Nothing was said of dates and numbers where an earlier version had none: a newer one may raise the question.
  const earlier = {
    dates: known.dates === "yearFirst" ? undefined : known.dates,
    numbers: known.numbers === "plain" ? undefined : known.numbers,
  };
  const isAgainst = {
    dates: isOther(dates.proven, earlier.dates),
    numbers: isOther(numbers, earlier.numbers),
  };
  const said = {
    dates: chosen.dates ?? (isAgainst.dates ? undefined : earlier.dates),
    numbers: chosen.numbers ?? (isAgainst.numbers ? undefined : earlier.numbers),
  };
  const proposed: FileSettings = {
    ...settings,
    dates: said.dates ?? dates.proven ?? "yearFirst",
    numbers: said.numbers ?? numbers ?? "plain",
  };
  const isOpen = said.numbers === undefined && facts.hasOpenNumbers;
  const questions = [
    said.dates === undefined ? (isAgainst.dates ? facts.dateProof() : dates.question) : null,
    said.numbers === undefined && isAgainst.numbers
      ? facts.numberProof()
      : isOpen
        ? facts.numberQuestion(await numericColumns(proposed))
        : null,
  ];
  return { settings: proposed, questions: questions.filter((question) => question !== null) };
}

/** Whether what was said of an earlier version is another thing than what this one proves. */
const isOther = (proven: string | null, earlier: string | undefined): boolean =>
  proven !== null && earlier !== undefined && proven !== earlier;

async function factsOf(
  source: FileSource,
  settings: FileSettings,
  { chosen, eachPage }: Pick<Said, "chosen"> & { eachPage: EachPage },
): Promise<{ facts: Ambiguities; settings: FileSettings }> {
  const facts = new Ambiguities(source.format.isText);
  try {
    await eachPage(settings, (rows) => {
      for (const row of rows)
        if (!problemOf(row, { isExact: true }))
          for (const [column, value] of Object.entries(row.values))
            if (typeof value === "string") facts.add(column, value);
    });
    return { facts, settings };
  } catch (error) {
    // Its beginning was such text, and what follows is not.
    if (!(error instanceof EncodingError) || chosen.encoding !== undefined) throw error;
    const encoding = "windows-1252" as const;
    return factsOf(source, { ...settings, encoding }, { chosen: { ...chosen, encoding }, eachPage });
  }
}

async function proposeLayout({ file, format }: FileSource, { chosen, known }: Said): Promise<FileSettings> {
  const open: FileSettings = {
    ...{ header: "auto", delimiter: "auto", encoding: "utf-8", dates: "yearFirst", numbers: "plain", idColumn: null },
    ...(known.header && { header: known.header }),
    ...(known.idColumn && { idColumn: known.idColumn }),
    ...chosen,
  };
  const { id } = format;
  if (id === "xlsx") return { ...open, header: open.header === "no" ? "no" : "yes" };
  return withFile(file, async (bytes) => {
    const encoding = chosen.encoding ?? detectEncoding(await bytes.read(0, HEAD_BYTES));
    const delimiter = chosen.delimiter ?? (await knownDelimiter(bytes, { ...open, encoding }, known)) ?? "auto";
    const layout = await layoutOf(bytes, id, { ...open, encoding, delimiter });
    return {
      ...open,
      encoding,
      delimiter: delimiterName(layout.delimiter),
      header: id === "jsonl" ? "auto" : layout.hasHeader ? "yes" : "no",
    };
  });
}

/** What stood between the values of an earlier version, if it cuts this one into columns as well. */
async function knownDelimiter(
  bytes: Bytes,
  settings: FileSettings,
  { delimiter }: PartialFileSettings,
): Promise<FileSettings["delimiter"] | null> {
  if (delimiter === undefined) return null;
  const { columns } = await layoutOf(bytes, "csv", { ...settings, delimiter });
  return columns !== null && columns.length > 1 ? delimiter : null;
}
