/** The demo's files: real flights and airports, converted once into the folder that the demo's instance may read. */
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Flight {
  date: string;
  delay: number;
  distance: number;
  origin: string;
  destination: string;
}

/** Folder below the instance's that the demo's connector reads. */
export const DEMO_FOLDER = "flights-demo";

/**
 * Writes into the instance's folder what is missing; a file is moved into place only when it is complete. `earlier`: where
 * the files lay before instances had folders of their own; they are moved from there, with what people changed in them.
 */
export async function ensureFlightFiles(filesFolder: string, earlier: string): Promise<void> {
  const folder = join(filesFolder, DEMO_FOLDER);
  await mkdir(filesFolder, { recursive: true });
  if (!(await stat(folder).catch(() => null))) await rename(join(earlier, DEMO_FOLDER), folder).catch(() => {});
  await mkdir(folder, { recursive: true });
  const data = fileURLToPath(new URL("../data", import.meta.resolve("vega-datasets")));
  await ensure(join(folder, "airports.csv"), () => readFile(join(data, "airports.csv"), "utf8"));
  await ensure(join(folder, "flights.csv"), async () => {
    const flights = JSON.parse(await readFile(join(data, "flights-20k.json"), "utf8")) as Flight[];
    const rows = flights.map((flight, at) =>
      [
        `F${String(at + 1).padStart(5, "0")}`,
        isoOf(flight.date),
        flight.origin,
        flight.destination,
        flight.delay,
        flight.distance,
      ].join(","),
    );
    return `flight_id,departed_at,origin,destination,delay_minutes,distance_miles\n${rows.join("\n")}\n`;
  });
}

/** `2001/01/10 18:20` → `2001-01-10T18:20:00Z`. */
const isoOf = (date: string): string => `${date.replaceAll("/", "-").replace(" ", "T")}:00Z`;

async function ensure(path: string, text: () => Promise<string>): Promise<void> {
  if (await stat(path).catch(() => null)) return;
  await writeFile(`${path}.part`, await text());
  await rename(`${path}.part`, path);
}
