/** Which names of files are refused, and which files can't stand side by side, because both would be the same entity. */
import { ConnectorError } from "@accord/connector-sdk";
import { entitiesIn, type EntityInFile } from "@accord/connectors";
import { FILE_ENDINGS } from "@accord/contracts/connections/connector-files";
import type { Db } from "../../../../platform/db/db.ts";
import type { FileRow } from "./files.store.ts";
import { uploadedFile } from "./stored-file.ts";

interface Problem {
  path: string;
  message: string;
}

const endingOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
const baseOf = (name: string): string => name.replace(/\.\w+$/, "");

export function nameProblems(name: string): Problem[] {
  const known: readonly string[] = FILE_ENDINGS;
  // Such names stand in messages, and their beginning names an entity.
  if (/[\p{Cc}\p{Cf}/\\]/u.test(name) || name.startsWith(".") || name.startsWith("~$"))
    return [{ path: "name", message: `${name} can't be used as a name: it begins with a dot or holds a slash` }];
  if (known.includes(endingOf(name))) return [];
  return [
    {
      path: "name",
      message: `${name} is no file that can be read: choose one ending in ${known.map((e) => `.${e}`).join(", ")}`,
    },
  ];
}

/** Two files that would be the same entity. */
export function namesakeProblems(name: string, files: readonly FileRow[]): Problem[] {
  const other = files.find(
    (file) =>
      file.state === "READY" && file.name !== name && baseOf(file.name).toLowerCase() === baseOf(name).toLowerCase(),
  );
  return other
    ? [{ path: "name", message: `${name} would be called like ${other.name}: rename it, or delete that one` }]
    : [];
}

/** Tables that would be the same entity, sheets among them: `orders.2024.csv`, and the sheet 2024 of `orders.xlsx`. */
export async function entityProblems(db: Db, file: FileRow, others: readonly FileRow[]): Promise<Problem[]> {
  // Only these can share one, so that no other file is opened.
  const near = others.filter((other) => other.name !== file.name && isNear(other.name, file.name));
  if (near.length === 0) return [];
  const own = await entitiesOf(db, file);
  for (const other of near)
    for (const { entity, sheet } of await entitiesOf(db, other)) {
      const twin = own.find((one) => one.entity.toLowerCase() === entity.toLowerCase());
      if (twin)
        return [
          {
            path: "name",
            message: `${titled(file, twin.sheet)} and ${titled(other, sheet)} would be the same entity ${entity}: rename one of them, or delete ${other.name}`,
          },
        ];
    }
  return [];
}

/** A sheet is called like its workbook, a dot and its own name. */
function isNear(a: string, b: string): boolean {
  const [one, other] = [baseOf(a).toLowerCase(), baseOf(b).toLowerCase()];
  return one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

async function entitiesOf(db: Db, row: FileRow): Promise<EntityInFile[]> {
  try {
    return await entitiesIn(uploadedFile(db, row));
  } catch (error) {
    // What can't be opened is no entity.
    if (error instanceof ConnectorError) return [];
    throw error;
  }
}

const titled = ({ name }: FileRow, sheet: string | null): string =>
  sheet === null ? name : `sheet ${sheet} of ${name}`;
