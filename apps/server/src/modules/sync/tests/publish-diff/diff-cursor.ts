/** Where a comparison goes on: after a record, in the order in which records are chosen. Pure. */
import { ID_PATTERN } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { invalidField } from "../../../../platform/http/app-error.ts";
import type { ChosenKey, ChosenOrder } from "../../runs/index.ts";

const CHANGED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const HASH = /^-?\d{1,10}$/;

export const toCursor = ({ position, recordId }: ChosenKey): string => `${position} ${recordId}`;

export function fromCursor(order: ChosenOrder, cursor: string | undefined): ChosenKey | null {
  if (cursor === undefined) return null;
  const [position = "", recordId = "", ...more] = cursor.split(" ");
  const isPosition =
    order === "latest" ? CHANGED_AT.test(position) && !Number.isNaN(Date.parse(position)) : HASH.test(position);
  if (!isPosition || !ID_PATTERN.test(recordId) || more.length > 0) throw invalidField("cursor", words.noCursor);
  return { position, recordId };
}
