/** The tables of a place: which entity is read from which tables of which files. */
import { ConnectorError } from "@accord/connector-sdk";
import { formatOf } from "./formats/index.ts";
import type { FileSource } from "./formats/format.ts";
import type { Place, StoredFile } from "./places/place.ts";

export interface FileProblem {
  file: string;
  error: ConnectorError;
}

/** What is wrong with one file lasts until somebody changes it; what is wrong with the place concerns all of them. */
export const isOfFile = (error: unknown): error is ConnectorError =>
  error instanceof ConnectorError && (error.kind === "configuration" || error.kind === "permission");

/** Whether a table of the file may be that entity. */
export function mayHold({ file }: FileProblem, entity: string): boolean {
  const name = entityName(file, null);
  return [name, file].some((start) => entity === start || entity.startsWith(`${start}.`));
}

/** Finds the tables of a place; remembers what is in each workbook for as long as that stays as it is. */
export class Tables {
  readonly #place: Place;
  readonly #parts = new Map<string, readonly (string | null)[]>();

  constructor(place: Place) {
    this.#place = place;
  }

  /**
   * Entities: a file each, each sheet of a workbook, and each subfolder with files in it. `problems`: files that can't
   * be looked into, which keep nobody from reading the others.
   */
  async list(): Promise<{ entities: Map<string, FileSource[]>; problems: FileProblem[] }> {
    const entities = new Map<string, FileSource[]>();
    const problems: FileProblem[] = [];
    for (const file of await this.#place.list((name) => formatOf(name) !== undefined)) {
      const format = formatOf(file.name);
      if (!format) continue;
      try {
        for (const part of await this.#partsOf(file))
          addTo(entities, { file, format, part }, entityName(file.name, part, entities));
      } catch (error) {
        if (!isOfFile(error)) throw error;
        const message = `${file.name}: ${error.message}`;
        const { kind, hint } = error;
        problems.push({ file: file.name, error: new ConnectorError(kind, message, { cause: error, hint }) });
      }
    }
    return { entities, problems };
  }

  async #partsOf(file: StoredFile): Promise<readonly (string | null)[]> {
    const format = formatOf(file.name);
    if (!format?.parts) return [null];
    const key = JSON.stringify([file.name, await file.state()]);
    const known = this.#parts.get(key);
    if (known) return known;
    const parts = await format.parts(file);
    this.#parts.set(key, parts);
    return parts;
  }
}

/** `flights`, `orders` for a folder, `prices.Sheet1`. Two files by one name: the second keeps its ending. */
export function entityName(file: string, part: string | null, taken?: ReadonlyMap<string, FileSource[]>): string {
  const [folder, inside] = file.split("/");
  const sheet = part === null ? "" : `.${part}`;
  if (inside !== undefined) return `${folder}${sheet}`;
  const name = `${file.replace(/\.\w+$/, "")}${sheet}`;
  return taken?.has(name) ? `${file}${sheet}` : name;
}

function addTo(entities: Map<string, FileSource[]>, source: FileSource, name: string): void {
  const known = entities.get(name);
  if (known) known.push(source);
  else entities.set(name, [source]);
}
