/** Answers of the comparison of draft and published version, for tests of what shows it. */
import { PublishDiff } from "@accord/contracts/sync/tests/publish-diff";

const NO_CORE_CHANGES = { values: 0, merged: 0, attached: 0, heldBack: 0, refused: 0, actions: 0 };
const NO_CHANGES = { created: 0, updated: 0, deleted: 0, left: 0, noLongerSent: 0, newlySent: 0, refused: 0 };

/** Destinations Billing and Shop; records differ by Billing's city. */
export function publishDiff(
  { updated = 0, notDue = 0, names = [] }: { updated?: number; notDue?: number; names?: readonly string[] } = {},
  more: Partial<PublishDiff> = {},
): PublishDiff {
  const destination = { version: "both", counts: NO_CHANGES, notDue: 0 };
  return PublishDiff.parse({
    versions: "1",
    published: { number: 1, name: "First" },
    fieldPipelines: [],
    compared: 10,
    differing: updated,
    cursor: null,
    counts: NO_CORE_CHANGES,
    destinations: [
      { ...destination, nodeId: "billing", label: "Billing", counts: { ...NO_CHANGES, updated }, notDue },
      { ...destination, nodeId: "shop", label: "Shop" },
    ],
    sources: [],
    records: names.map((name, index) => ({
      recordId: String(index).padStart(24, "0"),
      name,
      changes: [],
      values: [],
      merged: null,
      attached: [],
      heldBack: [],
      refused: [],
      actions: null,
      destinations: [
        {
          destination: 0,
          change: "updated",
          isDue: notDue === 0,
          message: null,
          fields: [{ field: "city", before: "Rome", after: `Oslo of ${name}`, isHeld: true, mapped: "both" }],
        },
      ],
      isCut: false,
    })),
    unknown: [],
    unasked: 0,
    failed: [],
    ...more,
  });
}
