/** What nodes say of a record whose secrets they read: the reason, without the value that they quote. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { SecretFields } from "@accord/expressions";
import type { CompileContext } from "../functions/context.ts";
import type { CompiledNode } from "../functions/define.ts";
import type { FlowRecord } from "../functions/flow.ts";
import { isCode } from "../graph/elements.ts";
import { namesField } from "./secret-results.ts";

/** Messages quote one value at most, and it may hold quotation marks itself. */
const QUOTED = /“[^]*”/u;

/** The same node; failures and warnings that it gives a record show the mask instead of a value made of a secret. */
export function withoutSecretProblems(node: GraphNode, run: CompiledNode, context: CompileContext): CompiledNode {
  const { fields, slots } = context.secrets;
  const readsSecret =
    slots.has(context.slots.get(node.id) ?? -1) || namesField(node, fields) || (isCode(node) && fields.size > 0);
  if (!readsSecret) return run;
  const watched = watching(SecretFields.named(fields));
  const hiding: CompiledNode = (page, env) => watched(page, () => run(page, env));
  const { requests, deferredActions, loopStart } = run;
  return Object.assign(hiding, run, {
    ...(requests && {
      requests: (...[page, env]: Parameters<typeof requests>) => watched(page, () => requests(page, env)),
    }),
    ...(deferredActions && {
      deferredActions: (...[page, env]: Parameters<typeof deferredActions>) =>
        watched(page, () => deferredActions(page, env)),
    }),
    ...(loopStart && {
      loopStart: {
        ...loopStart,
        items: (...[record, env]: Parameters<typeof loopStart.items>) =>
          watched([record], () => loopStart.items(record, env)),
      },
    }),
  });
}

function watching(secrets: SecretFields) {
  return <Result>(page: readonly FlowRecord[], act: () => Result): Result => {
    const before = page.map(({ failure, warnings, values }) => ({ failure, warnings, values }));
    const result = act();
    for (const [index, record] of page.entries()) {
      const { failure, warnings, values } = before[index] ?? record;
      const hidden = <Problem extends { message: string }>(problem: Problem): Problem => {
        // What is repeated as it is goes first: it may hold quotation marks.
        const rest = secrets.text(problem.message, { ...record.source?.values, ...record.values, ...values });
        return { ...problem, message: rest.replace(QUOTED, `“${PASSWORD_MASK}”`) };
      };
      if (record.failure && record.failure !== failure) record.failure = hidden(record.failure);
      if (record.warnings !== warnings)
        record.warnings = [...warnings, ...record.warnings.slice(warnings.length).map(hidden)];
    }
    return result;
  };
}
