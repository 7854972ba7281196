/** Pages of two systems' contacts, for tests of how a source's page is processed. */
import type { SourceRecord } from "@accord/connector-sdk";
import { seenFingerprint } from "../../state/fingerprint.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import { NOW, resolvedWith, storedLink, storedRecord, twoSystems } from "../../protocol/fixtures/stored.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { fingerprintPage } from "./fingerprint-page.ts";
import { type PageExecution, startPage } from "./process-page.ts";

export const { source } = twoSystems();
/** A source whose records refer to each other. */
export const family = twoSystems({}, { scenario: { hasReferences: true } }).source;
export const ENV = { now: NOW, random: () => 0.5 };
export const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };
export const ada = (more: Partial<SourceRecord> = {}): SourceRecord => ({ id: "A1", values: ADA, ...more });
export const pageOf = (...records: SourceRecord[]) => ({ records, cursor: "next", drained: true });
/** Fingerprint that a source's path gives values. */
export const printOf = (values = ADA, at: SourcePlan = source): string =>
  seenFingerprint(at.program, at.place.readFields, values);
/** A page of one record, sent down its path. */
export const out = (
  record: SourceRecord,
  resolved: Partial<Resolved>,
  { isCurrent = false, env = {} } = {},
): PageExecution =>
  startPage(source, fingerprintPage(source, { ...pageOf(record), isCurrent }), resolvedWith(resolved), {
    ...ENV,
    ...env,
  });
/** What storage knows where the record is linked. */
export const links = (link: Partial<StoredLink> = {}): Partial<Resolved> => ({
  links: new Map([["A1", storedLink(link)]]),
  records: new Map([["r1", storedRecord()]]),
});
