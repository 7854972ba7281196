/** Partitions of a stream: the values of a list, the records of other streams, and combinations of them. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { evaluateLiteral } from "../../template/literal.ts";
import { defineComponent, optional, Part, Parts, Text, type Component } from "../component.ts";
import type { Build, Draft, ParentConfig, PartitionRouter, PartitionStep } from "../model.ts";
import { plainText } from "../plain-text.ts";
import { SubstreamRouter } from "./substreams.ts";

export const PARENTS: readonly Component<"parent">[] = [
  defineComponent({
    type: "ParentStreamConfig",
    family: "parent",
    options: {
      stream: Part,
      parent_key: Text,
      partition_field: Text,
      extra_fields: optional(z.array(z.array(Text))),
      request_option: optional(Part),
      // Parents are read completely each time: a child whose parent did not change is found too.
      incremental_dependency: optional(z.boolean()),
    },
    slots: { stream: { type: "DeclarativeStream" }, request_option: { type: "RequestOption" } },
    refuses: ["lazy_read_pointer"],
    make(options, build): ParentConfig {
      return {
        stream: options.stream,
        parentKey: build.template(options.parent_key).text(),
        partitionField: build.template(options.partition_field).text(),
        extraFields: options.extra_fields ?? [],
        option: options.request_option ? build.make("requestOption", options.request_option) : null,
      };
    },
  }),
];

export const ROUTERS: readonly Component<"router">[] = [
  defineComponent({
    type: "ListPartitionRouter",
    family: "router",
    options: {
      cursor_field: Text,
      values: z.union([z.string(), z.array(z.union([Text, z.null()]))]),
      request_option: optional(Part),
    },
    slots: { request_option: { type: "RequestOption" } },
    make({ cursor_field, values, request_option }, build): PartitionRouter {
      const name = build.template(cursor_field).text();
      const option = request_option ? build.make("requestOption", request_option) : null;
      return {
        async next(place) {
          const list = listOf(values, build);
          const index = place === null ? 0 : Number(place) + 1;
          const value = list[index];
          return value === undefined ? null : { values: { [name]: value }, extra: {}, place: index };
        },
        inject(draft, partition) {
          const value = partition[name];
          if (option && value !== undefined) option.inject(draft, value);
        },
      };
    },
  }),
  defineComponent({
    type: "SubstreamPartitionRouter",
    family: "router",
    options: { parent_stream_configs: Parts },
    slots: { parent_stream_configs: { type: "ParentStreamConfig" } },
    make({ parent_stream_configs }, build) {
      const parents = parent_stream_configs.map((node) => build.make("parent", node));
      return new SubstreamRouter(parents, build);
    },
  }),
];

function listOf(values: string | readonly (string | null)[], build: Build): string[] {
  if (typeof values !== "string")
    return values.flatMap((value) => (value === null ? [] : [build.template(value).text()]));
  const text = build.template(values).text();
  const list = evaluateLiteral(text);
  if (Array.isArray(list)) return list.map(plainText);
  if (text === "")
    throw build.problem(`the values of its partitions (${values}) are blank: fill in the input they are taken from`);
  throw build.problem(`the values of its partitions (${values}) are no list`);
}

const Places = z.array(
  z.strictObject({
    place: z.custom<Value>(),
    values: z.custom<Values>(),
    extra: z.custom<Values>(),
    /** The last one, where its router has looked for a partition up to this place and found none yet. */
    isPending: z.boolean().optional(),
  }),
);

/** Every combination of the partitions of several routers, the last one changing fastest. */
export class CombinedRouter implements PartitionRouter {
  readonly #routers: readonly PartitionRouter[];

  constructor(routers: readonly PartitionRouter[]) {
    this.#routers = routers;
  }

  async next(
    place: Value,
    isOver: () => boolean,
    signal?: AbortSignal,
  ): Promise<PartitionStep | { later: Value } | null> {
    const steps: (PartitionStep | null)[] = place === null ? [] : parsePlaces(place);
    // From the last router on back: one that is through begins again after the one before it has moved.
    let at = place === null ? 0 : steps.length - 1;
    while (at >= 0 && at < this.#routers.length) {
      const found = await this.#routers[at]?.next(steps[at]?.place ?? null, isOver, signal);
      if (found && "later" in found) {
        const before = steps.slice(0, at).flatMap((step) => (step ? kept(step) : []));
        return { later: [...before, { place: found.later, values: {}, extra: {}, isPending: true }] };
      }
      if (found) {
        steps[at] = found;
        at += 1;
      } else {
        steps[at] = null;
        at -= 1;
      }
      signal?.throwIfAborted();
    }
    if (at < 0) return null;
    const present = steps.flatMap((step) => step ?? []);
    return {
      place: present.map(kept),
      values: Object.assign({}, ...present.map(({ values }) => values)),
      extra: Object.assign({}, ...present.map(({ extra }) => extra)),
    };
  }

  inject(draft: Draft, partition: Values): void {
    for (const router of this.#routers) router.inject(draft, partition);
  }
}

const kept = ({ place, values, extra }: PartitionStep) => ({ place, values, extra });

function parsePlaces(place: Value): PartitionStep[] {
  const parsed = Places.safeParse(place);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
