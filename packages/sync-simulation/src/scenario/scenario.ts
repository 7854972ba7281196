/** What a history is about, beside edits and misfortunes: drawn from the seed apart, so that it changes nothing else. */
import type { AUTHORITIES } from "@accord/contracts/sync/matching";
import { type Rng, createRng } from "../rng.ts";
import { type Drift, drawDrift, drawRename } from "../systems/drift.ts";
import { type ScenarioVersion, scenarioVersionOf, isSince } from "../regression-seeds.ts";
import { generateConcurrentPipelines, type ConcurrentPipelines } from "./concurrent-pipelines.ts";
import { drawNewField, type NewField } from "../systems/new-fields.ts";
import { EDITED_FIELDS } from "./scenario-fields.ts";
import { generateTexts, isIgnored, type TextOptions } from "../systems/text-rewriting.ts";
import { goesBack } from "../systems/system-clock.ts";
import { BUSY_MS } from "../timeline.ts";
import { drawAnswers, type OddAnswers } from "../systems/odd-answers.ts";
import { drawTypeChange, type TypeChange } from "../systems/type-changes.ts";
import { generateOptions, MAX_SYSTEMS, NO_OPTIONS, type ScenarioOptions } from "./scenario-options.ts";

export type DrawnAuthority = Exclude<(typeof AUTHORITIES)[number], "SELECTED">;

/** How duplicates are dealt with. */
export interface Duplicates {
  reportOnly: boolean;
  /** More of them are only reported. */
  most: number;
  /** Whether external records that lost are deleted, or live on as second ones of the same thing. */
  deletesLosers: boolean;
  winner: "oldest" | "newest" | "mostComplete";
}

/** Paths wait for answers and have things done; the receiver knows an action again, or it doesn't. */
export interface ActionOptions {
  isRepeatable: boolean;
}

export interface Scenario extends ScenarioOptions {
  /** Null: as ever, drawn with the systems. */
  authority: DrawnAuthority | null;
  /** Null: nobody looks for duplicates, and nobody makes any. */
  duplicates: Duplicates | null;
  /** Contacts name other contacts. */
  hasReferences: boolean;
  /** A third system that is only written. */
  hasWriteOnly: boolean;
  /** Sources give one page a cycle. */
  readsSinglePages: boolean;
  /** Resyncs are of some sources, and of a span of time. */
  hasPartialResyncs: boolean;
  /** Systems, by index, in which nothing is deleted on account of others; and whether they get back what they lost. */
  noDeleteSystems: readonly { system: number; recreates: boolean }[];
  /** Milliseconds that a system's clock is ahead, by index. */
  skews: readonly number[];
  actionOptions: ActionOptions | null;
  /** Contacts without an e-mail: nothing to find them by. */
  hasNameless: boolean;
  /** Now and then somebody enters more than a record may hold. */
  hasGiants: boolean;
  /** Texts that systems store in ways of their own; null: as they are. */
  texts: TextOptions | null;
  /** Systems whose changes are listed on numbered pages, by index. */
  hasNumberedLists: readonly boolean[];
  /** Null: no other pipelines are there. */
  neighbours: ConcurrentPipelines | null;
  /** A field that a system does not have for a while, or under another name. */
  drift: Drift | null;
  /** A field that is added to a system, and that nobody maps. */
  newField: NewField | null;
  /** A column whose type changes. */
  typeChange: TypeChange | null;
  /** People save two fields of a contact at once. */
  hasJointEdits: boolean;
  /** What systems answer writes with, by index; null: what is stored, or nothing. */
  answers: readonly (OddAnswers | null)[];
  /** How much later than they are made systems show changes that can only be listed and name no times, by index, milliseconds. */
  listingLags: readonly number[];
}

const PLAIN: Scenario = {
  ...NO_OPTIONS,
  authority: null,
  duplicates: null,
  hasReferences: false,
  hasWriteOnly: false,
  readsSinglePages: false,
  hasPartialResyncs: false,
  noDeleteSystems: [],
  skews: [],
  actionOptions: null,
  hasNameless: false,
  hasGiants: false,
  texts: null,
  hasNumberedLists: [],
  neighbours: null,
  drift: null,
  newField: null,
  typeChange: null,
  hasJointEdits: false,
  answers: [],
  listingLags: [],
};

const SKEW = 3_600_000;

export function generateScenario(seed: number, scenarioVersion = scenarioVersionOf(seed)): Scenario {
  const scenario = earlierScenario(seed, scenarioVersion);
  if (!isSince("fourth", scenarioVersion)) return scenario;
  const hasNumberedLists = isSince("fifth", scenarioVersion)
    ? numberedLists(createRng(seed ^ 0x1_73_20_50), scenario)
    : [];
  const neighbours = isSince("sixth", scenarioVersion)
    ? generateConcurrentPipelines(createRng(seed ^ 0x2_23_60_67))
    : null;
  const all = { ...scenario, ...latest(createRng(seed ^ 0x1_41_42_13), scenario), hasNumberedLists, neighbours };
  if (!isSince("seventh", scenarioVersion)) return all;
  const drift = driftOf(drawDrift(createRng(seed ^ 0x2_64_57_51), EDITED_FIELDS, BUSY_MS), all);
  if (scenarioVersion === "seventh") return { ...all, drift };
  const renamed = drawRename(createRng(seed ^ 0x3_16_22_77), EDITED_FIELDS, BUSY_MS);
  return {
    ...all,
    drift: drift ?? driftOf(renamed, all),
    newField: all.types?.isFirstLoad ? null : drawNewField(createRng(seed ^ 0x3_31_66_24), BUSY_MS),
    typeChange: typeChangeOf(createRng(seed ^ 0x3_60_55_51), { ...all, drift: drift ?? renamed }),
    hasJointEdits: isSince("ninth", scenarioVersion) && createRng(seed ^ 0x3_74_16_57).bool(0.5),
    ...(isSince("today", scenarioVersion) ? oddSystems(createRng(seed ^ 0x3_87_29_83)) : {}),
  };
}

/** Systems whose answers to writes say little of what is stored, and lists that show writes late. */
const oddSystems = (rng: Rng): Pick<Scenario, "answers" | "listingLags"> => ({
  answers: Array.from({ length: MAX_SYSTEMS }, () => (rng.bool(0.4) ? drawAnswers(rng) : null)),
  listingLags: Array.from({ length: MAX_SYSTEMS }, () => (rng.bool(0.3) ? rng.between(500, 6_000) : 0)),
});

/** A column whose type changes, of a field that nothing else happens to. */
function typeChangeOf(rng: Rng, { types, texts, drift, hasNameless, outages }: Scenario): TypeChange | null {
  // What is refused for its type waits for a person, and nobody fixes after an outage.
  if (types || texts || drift || hasNameless || outages.length > 0) return null;
  return drawTypeChange(rng, BUSY_MS);
}

/** A field that vanishes from a system which is read, and in which people edit it. */
function driftOf(drift: Drift | null, scenario: Scenario): Drift | null {
  const { types, texts, hasWriteOnly, hasGiants, hasNameless, reading, outages } = scenario;
  if (!drift || types?.isFirstLoad || isIgnored(texts, drift.system, drift.field)) return null;
  // Nobody reads between a write and the return of its field while the system is down for hours.
  if (outages.some(({ system }) => system === drift.system)) return null;
  // What is too large is taken out again when the busy time ends, whatever a system lacks then.
  if ((hasWriteOnly && drift.system === 2) || (hasGiants && drift.field === "note")) return null;
  // Where a tool wrote an old time of change, only a reading of changes tells what it wrote.
  // What has nothing to find it by is known by all that it holds.
  if (hasNameless && drift.comesBack === "empty") return null;
  const hasOldTimes = reading?.hasImports === true || reading?.clocks.some(goesBack) === true;
  const touchesRows = drift.touchesRows || hasOldTimes;
  // A creation that is refused without a word of the field waits for a person, and nobody fixes after an outage.
  return { ...drift, touchesRows, writes: outages.length > 0 ? "refused" : drift.writes };
}

/** Systems that are read page by numbered page, in some scenarios whose systems would all have feeds of changes. */
const numberedLists = (rng: Rng, { reading, types }: Scenario): boolean[] =>
  reading || types?.isFirstLoad || rng.bool(0.7) ? [] : Array.from({ length: MAX_SYSTEMS }, () => rng.bool(0.6));

/** What may come with any scenario since the third edition; half of them have none of it. */
function latest(rng: Rng, { types, hasGiants, hasNameless }: Scenario): Partial<Scenario> {
  if (rng.bool(0.5)) return {};
  const texts = rng.bool(0.5) ? generateTexts(rng, MAX_SYSTEMS) : null;
  // What has no key is known as ours only where it looks as we sent it.
  return { texts: types || hasGiants || hasNameless ? null : texts };
}

function earlierScenario(seed: number, scenarioVersion: ScenarioVersion): Scenario {
  const hasOptions = isSince("third", scenarioVersion);
  const options = hasOptions ? generateOptions(createRng(seed ^ 0x1_61_80_33)) : null;
  if (options) return { ...PLAIN, ...options };
  const scenario = firstScenario(seed, scenarioVersion);
  return isSince("second", scenarioVersion) ? { ...scenario, ...company(createRng(seed ^ 0x2_71_82_81)) } : scenario;
}

/** What may come with any scenario; half of them have none of it. */
function company(rng: Rng): Partial<Scenario> {
  if (rng.bool(0.5)) return {};
  return {
    actionOptions: rng.bool(0.5) ? { isRepeatable: rng.bool(0.5) } : null,
    hasNameless: rng.bool(0.3),
    hasGiants: rng.bool(0.3),
  };
}

function firstScenario(seed: number, scenarioVersion: ScenarioVersion): Scenario {
  const rng = createRng(seed ^ 0x5_70_12_34);
  const kind = rng.next();
  if (kind < 0.4 || scenarioVersion === "none") return PLAIN;
  if (kind < 0.75) return family(rng);
  return places(rng);
}

/** Records that are one thing twice, and records that name each other. */
function family(rng: Rng): Scenario {
  const authority = rng.pick(["NONE", "RANKED", "LATEST"] as const);
  const hasReferences = rng.bool(0.6);
  const duplicates =
    !hasReferences || rng.bool(0.7)
      ? {
          reportOnly: rng.bool(0.15),
          most: rng.bool(0.2) ? 1 : 5,
          deletesLosers: rng.bool(0.7),
          winner: rng.pick(["oldest", "newest", "mostComplete"] as const),
        }
      : null;
  return { ...PLAIN, authority, duplicates, hasReferences, hasPartialResyncs: rng.bool(0.3) };
}

/** Systems that are used otherwise than both ways, all at once. */
function places(rng: Rng): Scenario {
  const noDeleteSystems = [0, 1].flatMap((system) => (rng.bool(0.4) ? [{ system, recreates: rng.bool(0.5) }] : []));
  const skews = rng.bool(0.5) ? [0, 1, 2].map(() => rng.pick([0, SKEW, -SKEW])) : [];
  return {
    ...PLAIN,
    authority: rng.bool(0.5) ? rng.pick(["RANKED", "LATEST"] as const) : null,
    hasWriteOnly: rng.bool(0.4),
    readsSinglePages: rng.bool(0.4),
    hasPartialResyncs: rng.bool(0.5),
    noDeleteSystems,
    skews,
  };
}
