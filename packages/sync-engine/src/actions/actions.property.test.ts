/** Whatever is put into an action: what its check accepts is a call that can be written down, or a warning. */
import type { Value } from "@accord/contracts/data/values";
import { isStorableText } from "@accord/expressions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anything, settingsOf } from "../functions/fuzz-values.fixtures.ts";
import { CONTEXT } from "../functions/functions.fixtures.ts";
import { newFlowRecord } from "../functions/flow.ts";
import { graphOf } from "../graph/graph.fixtures.ts";
import { compileAction } from "./compile.ts";
import { ACTIONS } from "./registry.ts";

const ENV = { now: 0, random: () => 0.5 };
const isStorable = (value: Value): boolean =>
  typeof value === "string"
    ? isStorableText(value)
    : typeof value !== "object" || value === null || Object.values(value).every(isStorable);

test.each(ACTIONS.filter(({ effect }) => effect === "work").map((one) => [one.name, one] as const))(
  "%s takes whatever comes",
  (_, definition) => {
    const values = fc.record({ Name: anything, size: anything, due: anything }).filter(isStorable);
    fc.assert(
      fc.property(
        settingsOf(definition).filter((config) => isStorable(config as Value)),
        values,
        (configuration, record) => {
          for (const { reason } of definition.check(configuration)) expect(reason).toMatch(/[.!?]$/);
          if (definition.check(configuration).length > 0) return;
          const [node] = graphOf(
            [{ id: "node", label: "Act", nodeType: "ACTION", apiName: definition.name, configuration }],
            [],
          ).nodes;
          const run = compileAction(node!, CONTEXT, { side: "source", isAwaited: false });
          const flow = newFlowRecord({ values: record, source: { externalId: "1", values: record } });
          const call = run.deferredActions?.([flow], ENV)[0];
          expect(call !== null || flow.warnings.length > 0, "a call or a warning").toBe(true);
          if (call) expect(isStorable(JSON.parse(JSON.stringify(call)))).toBe(true);
        },
      ),
      { numRuns: 150, seed: 5 },
    );
  },
);
