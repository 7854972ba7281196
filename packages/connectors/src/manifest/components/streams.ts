/** Streams of manifests: what is asked, how it is split and paged, and what its records look like. */
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { isObject } from "../document/read-yaml.ts";
import { STANDARD_DECODER } from "./answers/decoders.ts";
import { defineComponent, OneOrMore, optional, Part, Parts, Text, type Component } from "./component.ts";
import type { PartitionRouter, Retriever, Stream } from "./model.ts";
import { NO_PAGING } from "./slices/pagination.ts";
import { CombinedRouter } from "./slices/partitions.ts";

/** Of several schemas the fields of all, the later ones' going before. */
function joinedSchema(schemas: readonly Values[]): Values | null {
  const [first = null, ...others] = schemas;
  if (first === null || others.length === 0) return first;
  const fields = schemas.flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []));
  return { ...first, properties: Object.fromEntries(fields) };
}

const Key = z.union([Text, z.array(z.union([Text, z.array(Text)]))]);

/** Field paths of a key: `id`, `[id, kind]` or `[[owner, id]]`. */
function keyOf(key: z.output<typeof Key> | null | undefined): string[][] {
  if (key === null || key === undefined || key === "") return [];
  if (typeof key === "string") return [[key]];
  return key.map((part) => (typeof part === "string" ? [part] : part));
}

export const STREAMS: readonly Component<"stream">[] = [
  defineComponent({
    type: "DeclarativeStream",
    family: "stream",
    options: {
      name: optional(Text),
      retriever: Part,
      primary_key: optional(Key),
      schema_loader: optional(OneOrMore),
      incremental_sync: optional(Part),
      transformations: optional(Parts),
      // They bring states that another program stored to a newer form; there are none here.
      state_migrations: optional(z.unknown()),
    },
    slots: {
      retriever: { type: "SimpleRetriever" },
      schema_loader: { type: "JsonFileSchemaLoader" },
      incremental_sync: {},
      transformations: {},
    },
    refuses: ["file_uploader"],
    make(options, build): Stream {
      const loaders = (options.schema_loader ?? []).map((node) => build.make("schemaLoader", node));
      return {
        name: build.stream,
        retriever: build.make("retriever", options.retriever),
        cursor: options.incremental_sync ? build.make("timeCursor", options.incremental_sync) : null,
        transformations: (options.transformations ?? []).map((node) => build.make("transformation", node)),
        primaryKey: keyOf(options.primary_key),
        schema: joinedSchema(loaders),
      };
    },
  }),
];

export const RETRIEVERS: readonly Component<"retriever">[] = [
  defineComponent({
    type: "SimpleRetriever",
    family: "retriever",
    options: {
      requester: Part,
      record_selector: Part,
      paginator: optional(Part),
      partition_router: optional(OneOrMore),
      decoder: optional(Part),
      ignore_stream_slicer_parameters_on_paginated_requests: optional(z.boolean()),
    },
    slots: {
      requester: { type: "HttpRequester" },
      record_selector: { type: "RecordSelector" },
      paginator: { type: "NoPagination" },
      partition_router: {},
      decoder: { type: "JsonDecoder" },
    },
    refuses: ["pagination_reset"],
    make(options, build): Retriever {
      const routers = (options.partition_router ?? []).map((node) => build.make("router", node));
      return {
        requester: build.make("requester", options.requester),
        paginator: options.paginator ? build.make("paginator", options.paginator) : NO_PAGING,
        selector: build.make("selector", options.record_selector),
        decoder: options.decoder ? build.make("decoder", options.decoder) : STANDARD_DECODER,
        router: combined(routers),
        injectsFirstPageOnly: options.ignore_stream_slicer_parameters_on_paginated_requests ?? false,
      };
    },
  }),
];

function combined(routers: readonly PartitionRouter[]): PartitionRouter | null {
  const [only] = routers;
  return routers.length > 1 ? new CombinedRouter(routers) : (only ?? null);
}

export const SCHEMA_LOADERS: readonly Component<"schemaLoader">[] = [
  defineComponent({
    type: "InlineSchemaLoader",
    family: "schemaLoader",
    options: { schema: optional(z.record(z.string(), z.custom<Values[string]>())) },
    make: ({ schema }): Values => schema ?? {},
  }),
];
