/** The systems of a simulation, and what they are like: drawn from its seed, as its scenario needs them. */
import type { InjectedFault } from "../faults/injected-fault.ts";
import type { Rng } from "../rng.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { FakeSystem } from "./fake-system.ts";
import { fitTraits, systemOptions } from "./system-options.ts";
import { drawTraits } from "./system-traits.ts";

export function drawSystems(rng: Rng, scenario: Scenario, reader: InjectedFault["reader"]): FakeSystem[] {
  const count = rng.bool(0.3) || scenario.hasWriteOnly ? 3 : 2;
  const systems = ["A", "B", "C"]
    .slice(0, count)
    .map((name, index) => new FakeSystem(name, drawTraits(rng), systemOptions(scenario, index, reader)));
  // What is still unread or quarantined there can only be found by asking before it is created again.
  // What has no key can't be looked for: it is not made twice only by systems that know a creation again, and known as
  // ours only where it looks as we sent it.
  if (scenario.hasNameless)
    for (const { traits } of systems) Object.assign(traits, { idempotentCreate: true, respells: false });
  const hasUnread =
    scenario.readsSinglePages ||
    scenario.actionOptions !== null ||
    scenario.hasGiants ||
    scenario.reading?.startsAtPublication === true;
  if (hasUnread) for (const { traits } of systems) traits.canLookup = true;
  fitTraits(systems, scenario);
  return systems;
}
