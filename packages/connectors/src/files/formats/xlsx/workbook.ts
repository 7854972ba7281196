/** What a workbook says about itself: its visible sheets, its shared texts, which styles show numbers as dates. */
import { posix } from "node:path";
import type { Checkpoint } from "../format.ts";
import { tooLarge, XLSX_LIMITS, type Archive } from "./archive.ts";
import { readXml, unescaped, type XmlHandler } from "./xml.ts";

export interface Sheet {
  name: string;
  /** Name of its part in the archive. */
  path: string;
}

export interface Workbook {
  sheets: Sheet[];
  /** Days are counted from 1904 on, as once on the Macintosh. */
  isFrom1904: boolean;
  /** Names of the parts with its shared texts and its styles; null where it has none. */
  texts: string | null;
  styles: string | null;
}

/** A part that another one names, and what for: the last word of the type. */
interface Relation {
  id: string;
  type: string;
  path: string;
}

async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const found: Relation[] = [];
  await readXml(await archive.unpack(path, XLSX_LIMITS.partBytes), {
    open(name, { Id = "", Type = "", Target = "", TargetMode = "" }) {
      if (name !== "Relationship" || TargetMode === "External") return;
      const type = Type.slice(Type.lastIndexOf("/") + 1);
      found.push({ id: Id, type, path: Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target) });
    },
  });
  return found;
}

const WORKBOOK = "xl/workbook.xml";

async function workbookPath(archive: Archive): Promise<string> {
  if (archive.has(WORKBOOK) || !archive.has("_rels/.rels")) return WORKBOOK;
  return (await relationsOf(archive, "")).find(({ type }) => type === "officeDocument")?.path ?? WORKBOOK;
}

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = await workbookPath(archive);
  const relations = await relationsOf(archive, path);
  const partOf = (type: string, usual: string): string | null => {
    const named = relations.find((relation) => relation.type === type)?.path;
    const beside = posix.join(posix.dirname(path), usual);
    return named ?? (archive.has(beside) ? beside : null);
  };
  const workbook: Workbook = {
    ...{ sheets: [], isFrom1904: false },
    ...{ texts: partOf("sharedStrings", "sharedStrings.xml"), styles: partOf("styles", "styles.xml") },
  };
  const sheets = new Map(relations.filter(({ type }) => type === "worksheet").map((found) => [found.id, found.path]));
  await readXml(await archive.unpack(path, XLSX_LIMITS.partBytes), {
    open(name, attributes) {
      if (name === "workbookPr") workbook.isFrom1904 = /^(1|true)$/.test(attributes["date1904"] ?? "");
      const part = name === "sheet" ? sheets.get(attributes["r:id"] ?? attributes["id"] ?? "") : undefined;
      if (part !== undefined && (attributes["state"] ?? "visible") === "visible")
        workbook.sheets.push({ name: attributes["name"] ?? "", path: part });
    },
  });
  if (workbook.sheets.length > XLSX_LIMITS.sheets) throw tooLarge(`has more than ${XLSX_LIMITS.sheets} sheets`);
  return workbook;
}

/** What a text takes besides its letters. */
const TEXT_BYTES = 16;

/** Texts that cells refer to by number. */
export async function readSharedTexts(
  archive: Archive,
  path: string | null,
  checkpoint?: Checkpoint,
): Promise<string[]> {
  if (path === null) return [];
  const texts: string[] = [];
  let item = "";
  let bytes = 0;
  let isText = false;
  let spoken = 0;
  const stream = await archive.unpack(path, XLSX_LIMITS.textBytes);
  const handler = {
    open(name: string): void {
      if (name === "si") item = "";
      // How a text is pronounced is no part of it.
      if (name === "rPh") spoken += 1;
      isText = name === "t" && spoken === 0;
    },
    text(text: string): void {
      // What is longer than any cell may be is not kept to its end: an escaped letter has seven.
      if (isText && item.length <= XLSX_LIMITS.textLength * 7) item += text;
    },
    close(name: string): void {
      if (name === "t") isText = false;
      if (name === "rPh") spoken -= 1;
      if (name !== "si") return;
      // One letter too many is enough to see that it is too long.
      const text = unescaped(item).slice(0, XLSX_LIMITS.textLength + 1);
      texts.push(text);
      bytes += TEXT_BYTES + text.length;
      if (bytes > XLSX_LIMITS.keptTextBytes)
        throw tooLarge(`holds more than ${XLSX_LIMITS.keptTextBytes / 1_000_000} MB of texts`);
    },
  };
  await readXml(stream, handler, checkpoint);
  return texts;
}

/** How a style shows a number. */
export type Shown = "number" | "date" | "datetime" | "time";

/** By the number of the style that a cell names. */
export async function readStyles(archive: Archive, path: string | null, checkpoint?: Checkpoint): Promise<Shown[]> {
  if (path === null) return [];
  const formats = new Map<number, string>();
  /** What was found out from them: thousands of styles may name the same one. */
  const known = new Map<number, Shown>();
  const shown: Shown[] = [];
  let isForCells = false;
  const handler: XmlHandler = {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") formats.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isForCells = true;
      if (name !== "xf" || !isForCells) return;
      const id = Number(numFmtId);
      const found = known.get(id) ?? shownBy(id, formats);
      known.set(id, found);
      shown.push(found);
    },
    close(name) {
      if (name === "cellXfs") isForCells = false;
    },
  };
  await readXml(await archive.unpack(path, XLSX_LIMITS.partBytes), handler, checkpoint);
  return shown;
}

function shownBy(id: number, formats: ReadonlyMap<number, string>): Shown {
  const code = formats.get(id);
  if (code !== undefined) return shownByCode(code);
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return "date";
  if (id === 22) return "datetime";
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47 ? "time" : "number";
}

/** A format's own letters, without what it quotes: `dd.mm.yyyy`, `hh:mm`, `[h]:mm` for durations, which stay numbers. */
export function shownByCode(code: string): Shown {
  if (code.length > XLSX_LIMITS.formatLength)
    throw tooLarge(`has a number format of more than ${XLSX_LIMITS.formatLength} characters`);
  const [first = ""] = code.split(";");
  const letters = first
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .toLowerCase();
  if (/\[[hms]+\]|general/.test(letters)) return "number";
  const hasTime = /[hs]/.test(letters);
  if (/[yd]/.test(letters) || (/m/.test(letters) && !hasTime)) return hasTime ? "datetime" : "date";
  return hasTime ? "time" : "number";
}
