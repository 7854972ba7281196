/** The form in which a list is asked for changes since a moment, and until one. */
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { expect, test } from "vitest";
import { watermarkFacts } from "./watermark.ts";

const entity = HttpEntityConfig.parse({
  apiName: "notes",
  displayName: "Note",
  idField: "id",
  list: { path: "/notes", watermark: { param: "from", untilParam: "to", format: "isoSeconds" } },
});

test("whole seconds without a fraction leave out nothing of the range that is asked for", () => {
  const { query } = watermarkFacts(entity, "2026-01-01T10:00:00.750Z", new Date("2026-01-01T11:00:00.001Z"));
  expect(query).toEqual({ from: "2026-01-01T10:00:00Z", to: "2026-01-01T11:00:01Z" });
  expect(watermarkFacts(entity, null, new Date("2026-01-01T11:00:00.000Z")).query).toEqual({
    to: "2026-01-01T11:00:00Z",
  });
});
