/** Builds a stream of a manifest: components made by their type, templates bound to the configuration and their parameters. */
import type { Value, Values } from "@accord/contracts/data/values";
import { refuse } from "../document/read-yaml.ts";
import { TemplateError } from "../template/errors.ts";
import { compileTemplate, compileValue, type Template, type TemplateWorld } from "../template/template.ts";
import { parametersOf } from "./component.ts";
import type { ComponentNode } from "./node.ts";
import type { BoundTemplate, Build, Facts, Families, Runtime, Slice } from "./model.ts";
import { findComponent } from "./registry.ts";

export interface BuildSetting {
  stream: string;
  config: Values;
  runtime: Runtime;
  /** Called with every origin that the stream's requests go to. */
  onOrigin?: (origin: string) => void;
  /** Without inputs: addresses are not looked at. */
  isTrial?: boolean;
}

export function makeBuild(setting: BuildSetting, parameters: Values = {}): Build {
  const { stream, config, runtime } = setting;
  const problem = (sentence: string) => refuse(`Stream ${stream}: ${sentence.replace(/\.$/, "")}.`);
  const world = (facts: Facts): TemplateWorld => ({
    facts: namesOf(facts, config, parameters),
    now: () => runtime.now(),
  });
  const guarded = <Result>(source: string, work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (error instanceof TemplateError)
        throw problem(`the template ${shortened(source)} can't be used: ${error.message}`);
      throw error;
    }
  };
  const bind = (template: Template): BoundTemplate => ({
    source: template.source,
    text: (facts = {}) => guarded(template.source, () => template.text(world(facts))),
    value: (facts = {}) => guarded(template.source, () => template.value(world(facts))),
    isTrue: (facts = {}) => guarded(template.source, () => template.isTrue(world(facts))),
  });
  const build: Build = {
    stream,
    config,
    parameters,
    runtime,
    problem,
    template: (source) => bind(guarded(source, () => compileTemplate(source))),
    structure(value, evaluate) {
      if (sizeOf(value, MAX_VALUES) > MAX_VALUES) throw problem(`an option holds more than ${MAX_VALUES} values`);
      let present: Facts = {};
      const source = typeof value === "string" ? value : JSON.stringify(value);
      const made = guarded(source, () => compileValue(value, (template) => evaluate(bind(template), present)));
      return (facts) => {
        present = facts;
        return guarded(source, () => made(world(facts)));
      };
    },
    make<Family extends keyof Families>(family: Family, node: ComponentNode): Families[Family] {
      const component = findComponent(family, node.type);
      if (!component) throw problem(`${node.type} is not supported here`);
      return component.make(node, makeBuild(setting, parametersOf(node)));
    },
    origin(address, what) {
      if (setting.isTrial) return;
      const origin = originOf(address);
      if (!origin)
        throw problem(
          `the address of its ${what} (${shortened(address)}) is no http or https address with these inputs; what it holds of secret inputs can't be part of the host`,
        );
      setting.onOrigin?.(origin);
    },
  };
  return build;
}

/** Values of an option whose texts are templates. */
const MAX_VALUES = 20_000;

/** How many values it holds, counted up to a limit. */
function sizeOf(value: Value, limit: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let size = 1;
  for (const part of Object.values(value)) {
    size += sizeOf(part, limit - size);
    if (size > limit) break;
  }
  return size;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" ? origin : null;
}

/** Slices go by three names, with the same parts under each. */
function namesOf(facts: Facts, config: Values, parameters: Values): { [name: string]: unknown } {
  const slice = facts.slice ? sliceNames(facts.slice) : undefined;
  const names: { [name: string]: unknown } = { config, parameters };
  if (slice) Object.assign(names, { stream_slice: slice, stream_partition: slice, stream_interval: slice });
  if (facts.token !== undefined)
    names["next_page_token"] = facts.token === null ? null : { next_page_token: facts.token };
  if (facts.response !== undefined) names["response"] = facts.response;
  if (facts.headers !== undefined) names["headers"] = facts.headers;
  if (facts.record !== undefined) names["record"] = facts.record;
  if (facts.property !== undefined) names["property"] = facts.property;
  if (facts.lastRecord !== undefined) names["last_record"] = facts.lastRecord;
  if (facts.lastPageSize !== undefined) names["last_page_size"] = facts.lastPageSize;
  return names;
}

const sliceNames = ({ partition, interval, extra }: Slice): Values => ({
  partition,
  cursor_slice: interval,
  extra_fields: extra,
  ...partition,
  ...interval,
});
