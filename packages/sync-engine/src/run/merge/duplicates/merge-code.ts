/** What code of a person's own decides about duplicates: which of them stays, and with which values. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { matching as words } from "@accord/contracts/messages/en/matching";
import { fill } from "@accord/contracts/messages/fill";
import type { Values } from "@accord/contracts/data/values";
import { convertValue, isSecretField, sameValue } from "@accord/expressions";
import type { CodeEntry, DataRequest, DataResult } from "../../../functions/data-requests.ts";
import { conversionMessage } from "../../../functions/kinds/conversion.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";
import type { MergeWrite } from "../../protocol/merge-writes.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import type { MergePlan } from "./merge-plan.ts";

/** Answers by the JSON of their request. */
export type CodeAnswers = ReadonlyMap<string, DataResult>;
export const NO_ANSWERS: CodeAnswers = new Map();

const TIMEOUT_MS = 10_000;
const QUOTED = /“[^]*”/u;

/** Records that are the same thing, oldest first, and the one of them that came in. */
interface Group {
  rules: MergePlan;
  members: readonly StoredRecord[];
  incoming: StoredRecord;
  now: number;
}

/** `asked`: the answer has to be waited for. */
type Answered<Found> = "asked" | Found | { warning: RecordWarning };

export class MergeCode {
  readonly #answers: CodeAnswers;
  readonly #questions = new Map<string, DataRequest>();

  constructor(answers: CodeAnswers = NO_ANSWERS) {
    this.#answers = answers;
  }

  get questions(): readonly DataRequest[] {
    return [...this.#questions.values()];
  }

  /** All answers that are known once these questions are answered. */
  with(answers: readonly DataResult[]): CodeAnswers {
    const known = new Map(this.#answers);
    for (const [index, key] of [...this.#questions.keys()].entries()) known.set(key, answers[index] ?? NOT_ANSWERED);
    return known;
  }

  winnerOf(script: string, group: Group): Answered<{ winner: StoredRecord }> {
    const answer = this.#ask("chooseWinner", script, group, []);
    if (answer === null) return "asked";
    if (!answer.ok) return problem(group, answer.message);
    const winner = group.members.find(({ recordId }) => recordId === answer.found[0]?.["winner"]);
    return winner ? { winner } : problem(group, words.winnerUnknown);
  }

  valuesOf(script: string, group: Group & { winner: StoredRecord }): Answered<{ values: Values }> {
    const answer = this.#ask("mergeValues", script, group, [group.winner.recordId]);
    if (answer === null) return "asked";
    if (!answer.ok) return problem(group, answer.message);
    const values: Values = {};
    const { shapes, timeZone, retained } = group.rules;
    for (const [field, value] of Object.entries(answer.found[0] ?? {})) {
      const shape = shapes.get(field);
      if (!shape) return problem(group, fill(words.fieldUnknown, { field }));
      const converted = convertValue(value, shape, { timeZone });
      if (!converted.ok) return problem(group, `${field}: ${conversionMessage(converted)}`);
      // The pipeline's merge policy stands above all rules.
      if (!retained.has(field)) values[field] = converted.value;
    }
    return { values };
  }

  /** null: it is asked, the answer comes later. */
  #ask(entry: CodeEntry, script: string, group: Group, more: readonly string[]): DataResult | null {
    const { members, incoming, now } = group;
    const shown = ({ recordId, values }: StoredRecord): Values => ({ ...values, accordId: recordId });
    const others = members.filter((member) => member !== incoming).map(shown);
    const request: DataRequest = {
      ...{ kind: "code", entry, script, timeoutMs: TIMEOUT_MS, now },
      args: [shown(incoming), others, ...more],
    };
    const key = JSON.stringify({ ...request, now: 0 });
    const known = this.#answers.get(key);
    if (!known) this.#questions.set(key, request);
    return known ?? null;
  }
}

const NOT_ANSWERED: DataResult = { ok: false, code: "not_answered", message: "Nobody answered." };

/** The group is left as it is: it is found again when one of its records changes. */
function problem({ rules, incoming }: Group, reason: string): { warning: RecordWarning } {
  const isSecret = [...rules.shapes.values()].some(isSecretField);
  const shown = isSecret ? reason.replace(QUOTED, `“${PASSWORD_MASK}”`) : reason;
  const message = fill(words.notMergedByCode, { reason: shown });
  return { warning: { nodeId: rules.match.nodeId, code: "merge_code_failed", message, record: incoming.recordId } };
}

/** The merge with values that code gave: each has the origin of a record that holds it, else none. */
export function withValues(joined: MergeWrite, given: Values): MergeWrite {
  const { winner, losers } = joined;
  const [values, origin, changes] = [{ ...joined.values }, { ...joined.origin }, { ...joined.changes }];
  for (const [field, value] of Object.entries(given)) {
    const old = winner.values[field] ?? null;
    const giver = [winner, ...losers].find((member) => sameValue(member.values[field] ?? null, value));
    const claim = giver?.origin[field];
    if (claim) origin[field] = claim;
    else delete origin[field];
    delete changes[field];
    values[field] = value;
    if (!sameValue(value, old)) changes[field] = [old, value];
  }
  return { ...joined, values, origin, changes };
}
