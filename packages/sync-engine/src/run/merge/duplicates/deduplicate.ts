/** Finds records that are the same thing twice, chooses who survives, and joins their values. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { FlowRecord } from "../../../functions/flow.ts";
import { outranks, ruleOf } from "../authority/authority.ts";
import { CandidateIndex } from "./candidate-index.ts";
import type { CutLookups } from "./lookups.ts";
import { MergeCode, withValues } from "./merge-code.ts";
import type { MergePlan } from "./merge-plan.ts";
import type { Plan } from "../../plan/plan.ts";
import type { FoundDuplicates, MergeReport, MergeWrite } from "../../protocol/merge-writes.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";
import type { Origin, StoredRecord } from "../../protocol/stored.ts";
import type { IsWrittenFor } from "../../source/written-twins.ts";

/** What joining knows of its pipeline. */
type Joining = Pick<Plan, "authority" | "places">;

/** Records that are the same thing, oldest first. */
type Members = readonly [StoredRecord, ...StoredRecord[]];

/** A record of the page as it will be stored, and how it arrived. */
export interface IncomingRecord {
  record: StoredRecord;
  flow: FlowRecord;
  /** Which of its values were written for another record: that one has the say there. */
  isWrittenFor?: IsWrittenFor | null;
}

/** What a page brings. */
export interface ComparedPage {
  incoming: readonly IncomingRecord[];
  /** Records as they will be stored once the page is in. */
  after: ReadonlyMap<string, StoredRecord>;
  /** Records that the page ties to an external record of this place. */
  tied: ReadonlySet<string>;
  placeId: number;
  /** Look-ups that found the oldest records only. */
  cut?: CutLookups | undefined;
}

export interface DuplicateFindings {
  merges: MergeWrite[];
  reports: MergeReport[];
  /** Records that were not compared with all that share their values: they are merged with none. */
  notCompared: string[];
  /** Of groups that are left as they are, since code did not say what becomes of them. */
  unanswered: RecordWarning[];
}

/** Compares incoming records with stored ones and with each other. */
export function findDuplicates(
  plan: Joining,
  rules: MergePlan,
  page: ComparedPage,
  found: FoundDuplicates,
  env: RunEnv & { newId: () => string; code?: MergeCode },
): DuplicateFindings {
  const code = env.code ?? new MergeCode();
  const candidates = candidatesOf(page.after, found);
  const index = new CandidateIndex(candidates);
  const groups = new Groups(new Set(found.separated.map(([one, other]) => pairOf(one, other))));
  const notCompared = new Set<string>();
  for (const { record, flow } of page.incoming) {
    if (rules.skips?.(flow, env)) continue;
    const keys = rules.match.keysOf({ ...flow, values: record.values }, env);
    if (page.cut?.endOf(rules.match, keys)) notCompared.add(record.recordId);
    for (const match of index.find(rules.match, { nodeId: rules.match.nodeId, keys, now: env.now })) {
      if (match.recordId !== record.recordId) groups.join(record.recordId, match.recordId);
    }
  }
  const findings: DuplicateFindings = { merges: [], reports: [], notCompared: [...notCompared], unanswered: [] };
  const byId = new Map(candidates.map((record) => [record.recordId, record]));
  const twins = new Map(page.incoming.map(({ record, isWrittenFor = null }) => [record.recordId, isWrittenFor]));
  for (const ids of groups.list()) {
    const [oldest, ...younger] = ids.sort().flatMap((id) => byId.get(id) ?? []);
    if (!oldest) continue;
    const members: Members = [oldest, ...younger];
    const placesOf = (recordId: string): readonly number[] => [
      ...(found.places.get(recordId) ?? []),
      ...(page.tied.has(recordId) ? [page.placeId] : []),
    ];
    const incoming = page.incoming.find(({ record }) => ids.includes(record.recordId))?.record ?? oldest;
    const group = { rules, members, incoming, now: env.now };
    const answered = rules.winnerCode === null ? null : code.winnerOf(rules.winnerCode, group);
    if (answered === "asked") continue;
    if (answered && "warning" in answered) {
      findings.unanswered.push(answered.warning);
      continue;
    }
    const winner = answered?.winner ?? chooseWinner(plan, rules, members, placesOf);
    const losers = members.filter((member) => member !== winner);
    const isTooMany = losers.length > rules.maxDuplicates || ids.some((id) => notCompared.has(id));
    if (isTooMany || rules.reportOnly) {
      const loserIds = losers.map(({ recordId }) => recordId);
      const why = isTooMany ? "tooMany" : "reportOnly";
      findings.reports.push({ mergeId: env.newId(), winnerId: winner.recordId, loserIds, why });
      continue;
    }
    const given = rules.valuesCode === null ? null : code.valuesOf(rules.valuesCode, { ...group, winner });
    if (given === "asked") continue;
    if (given && "warning" in given) findings.unanswered.push(given.warning);
    else {
      const joined = joinRecords(plan, rules, winner, losers, env.newId(), twins);
      findings.merges.push(given ? withValues(joined, given.values) : joined);
    }
  }
  return findings;
}

/** Stored candidates as the page leaves them, and the page's own records; none that is or will be deleted. */
function candidatesOf(after: ReadonlyMap<string, StoredRecord>, found: FoundDuplicates): StoredRecord[] {
  const all = new Map(found.records.map((record) => [record.recordId, record]));
  for (const [recordId, record] of after) all.set(recordId, record);
  return [...all.values()].filter((record) => !record.deleted);
}

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** Records joined into groups, whoever matched whom; those that a person parted never meet, not even by a third one. */
class Groups {
  readonly #parent = new Map<string, string>();
  readonly #separated: ReadonlySet<string>;

  constructor(separated: ReadonlySet<string>) {
    this.#separated = separated;
  }

  join(one: string, other: string): void {
    const [left, right] = [this.#root(one), this.#root(other)];
    if (left !== right && !this.#areParted(left, right)) this.#parent.set(left, right);
  }

  #areParted(left: string, right: string): boolean {
    if (this.#separated.size === 0) return false;
    const of = (root: string): string[] => [...this.#parent.keys()].filter((id) => this.#root(id) === root);
    return of(left).some((one) => of(right).some((other) => this.#separated.has(pairOf(one, other))));
  }

  list(): string[][] {
    const groups = new Map<string, string[]>();
    for (const id of this.#parent.keys()) {
      const root = this.#root(id);
      groups.set(root, [...(groups.get(root) ?? []), id]);
    }
    return [...groups.values()].filter((ids) => ids.length > 1);
  }

  #root(id: string): string {
    const parent = this.#parent.get(id);
    if (parent === undefined) this.#parent.set(id, id);
    if (parent === undefined || parent === id) return id;
    const root = this.#root(parent);
    this.#parent.set(id, root);
    return root;
  }
}

/** Each rule keeps the best of those the rules before left; at last the oldest. Ids grow with age. */
function chooseWinner(
  plan: Joining,
  rules: MergePlan,
  members: Members,
  placesOf: (recordId: string) => readonly number[],
): StoredRecord {
  let left = members;
  const keep = (isKept: (member: StoredRecord, index: number) => boolean): void => {
    const [first, ...others] = left.filter(isKept);
    if (first) left = [first, ...others];
  };
  for (const rule of rules.winner) {
    if (left.length === 1) break;
    switch (rule.rule) {
      case "oldest":
        left = [left[0]];
        break;
      case "newest":
        left = [left.at(-1) ?? left[0]];
        break;
      case "mostComplete": {
        const counts = left.map(({ values }) => rules.fields.filter((field) => !isBlank(values[field])).length);
        const most = Math.max(...counts);
        keep((_, index) => counts[index] === most);
        break;
      }
      case "hasExternalId": {
        keep(({ recordId }) =>
          placesOf(recordId).some((placeId) => {
            const place = plan.places.get(placeId);
            return (
              place?.connectorId === rule.connectorId && (rule.entity === undefined || place.entity === rule.entity)
            );
          }),
        );
      }
    }
  }
  return left[0];
}

/** The winner with the values and origins that the policies give it. */
export function joinRecords(
  plan: Joining,
  rules: MergePlan,
  winner: StoredRecord,
  losers: readonly StoredRecord[],
  mergeId: string,
  twins: ReadonlyMap<string, IsWrittenFor | null> = NO_TWINS,
): MergeWrite {
  const members: Members = [winner, ...losers];
  const speakerOf = (member: StoredRecord, field: string): StoredRecord => {
    const isWrittenFor = twins.get(member.recordId);
    return (isWrittenFor && members.find((other) => isWrittenFor(other, field))) || member;
  };
  const values: Values = { ...winner.values };
  const origin: Origin = { ...winner.origin };
  const changes: MergeWrite["changes"] = {};
  for (const field of rules.fields) {
    const old = winner.values[field] ?? null;
    const [first, ...others] = members;
    const speakers: Members = [speakerOf(first, field), ...others.map((other) => speakerOf(other, field))];
    const [value, giver] = valueOf(plan, rules, field, speakers);
    if (giver && giver !== winner) {
      const claim = giver.origin[field];
      if (claim) origin[field] = claim;
      else delete origin[field];
    }
    if (sameValue(value, old)) continue;
    values[field] = value;
    changes[field] = [old, value];
  }
  return { mergeId, winner, values, origin, changes, losers: [...losers] };
}

const NO_TWINS: ReadonlyMap<string, IsWrittenFor | null> = new Map();

type Given = [value: Value, giver: StoredRecord | null];

/** The value of a field and the record it comes from; null when it comes from several. */
function valueOf(
  plan: Joining,
  rules: MergePlan,
  field: string,
  members: Members,
  before: readonly string[] = [],
): Given {
  const [winner] = members;
  const of = (record: StoredRecord): Value => record.values[field] ?? null;
  const from = (record: StoredRecord): Given => [of(record), record];
  if (rules.retained.has(field)) return from(winner);
  const controlling = rules.controllers.get(field);
  // Fields that control each other in a circle are taken as if they were free.
  if (controlling !== undefined && !before.includes(field)) {
    const [chosen, giver] = valueOf(plan, rules, controlling, members, [...before, field]);
    // A pair comes from one record, or from records that agree on the controlling value.
    const agreeing = members.filter((record) => sameValue(record.values[controlling] ?? null, chosen));
    const first = giver && !isBlank(of(giver)) ? giver : agreeing.find((record) => !isBlank(of(record)));
    return first ? from(first) : from(giver ?? winner);
  }
  const filled = members.filter((record) => !isBlank(of(record)));
  const [first] = filled;
  if (!first) return from(winner);
  const rule = ruleOf(plan.authority, field);
  const strongest = (): StoredRecord =>
    filled.reduce((best, record) => (outranks(rule, record.origin[field], best.origin[field]) ? record : best));
  switch (rules.policies.get(field)) {
    case "winner":
      return from(winner);
    case "latest":
      return from(
        filled.reduce((best, record) =>
          (record.origin[field]?.at ?? "") > (best.origin[field]?.at ?? "") ? record : best,
        ),
      );
    case "concatenate":
      return rules.listFields.has(field) ? [listOf(filled.map(of)), null] : from(first);
    case "fillBlank":
      return from(first);
    case undefined:
      return from(rule.authority === "NONE" ? first : strongest());
  }
}

/** Every item once, in the order in which the records have them. */
function listOf(lists: readonly Value[]): Value[] {
  const items: Value[] = [];
  for (const item of lists.flat()) {
    if (!items.some((known) => sameValue(known, item))) items.push(item);
  }
  return items;
}
