/** How a list is paged: what asks for the next page, and when there is none. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import type { Build, Facts, PageFacts, Paginator, PageStrategy } from "../model.ts";
import { plainText } from "../plain-text.ts";

const factsOf = ({ response, headers, lastRecord, count }: PageFacts): Facts => ({
  response,
  headers,
  lastRecord,
  lastPageSize: count,
});

function sizeOf(source: string | number | null | undefined, build: Build): number | null {
  if (source === null || source === undefined || source === "") return null;
  const text = build.template(String(source)).text();
  const size = Number(text);
  if (Number.isInteger(size) && size > 0) return size;
  // Sizes may come from an input that is not filled in yet.
  if (text === "") return null;
  throw build.problem(`page_size must be a whole number, not ${text.slice(0, 50)}`);
}

const PageSize = optional(z.union([z.string(), z.number()]));

/** Pages that are full may be followed by another; without a size, those that hold anything. */
const mayFollow = (count: number, pageSize: number | null): boolean =>
  count > 0 && (pageSize === null || count >= pageSize);

/** What is blank or empty leads to no further page. */
function isNothing(token: Value): boolean {
  if (token === null || token === "" || token === false || token === 0) return true;
  return typeof token === "object" && !isExactNumber(token) && Object.keys(token).length === 0;
}

export const PAGE_STRATEGIES: readonly Component<"pageStrategy">[] = [
  defineComponent({
    type: "PageIncrement",
    family: "pageStrategy",
    options: {
      page_size: PageSize,
      start_from_page: optional(z.coerce.number().int()),
      inject_on_first_request: optional(z.boolean()),
    },
    make({ page_size, start_from_page, inject_on_first_request }, build): PageStrategy {
      const [start, pageSize] = [start_from_page ?? 0, sizeOf(page_size, build)];
      return {
        first: inject_on_first_request ? start : null,
        pageSize,
        isNumbered: true,
        next: (token, { count }) => (mayFollow(count, pageSize) ? Number(token ?? start) + 1 : null),
      };
    },
  }),
  defineComponent({
    type: "OffsetIncrement",
    family: "pageStrategy",
    options: { page_size: PageSize, inject_on_first_request: optional(z.boolean()) },
    make({ page_size, inject_on_first_request }, build): PageStrategy {
      const pageSize = sizeOf(page_size, build);
      return {
        first: inject_on_first_request ? 0 : null,
        pageSize,
        isNumbered: true,
        next: (token, { count }) => (mayFollow(count, pageSize) ? Number(token ?? 0) + count : null),
      };
    },
  }),
  defineComponent({
    type: "CursorPagination",
    family: "pageStrategy",
    options: { cursor_value: Text, stop_condition: optional(Text), page_size: PageSize, decoder: optional(Part) },
    slots: { decoder: { type: "JsonDecoder" } },
    make({ cursor_value, stop_condition, page_size }, build): PageStrategy {
      const [cursor, stop] = [build.template(cursor_value), stop_condition ? build.template(stop_condition) : null];
      return {
        first: null,
        pageSize: sizeOf(page_size, build),
        isNumbered: false,
        next(_, page) {
          const facts = factsOf(page);
          if (stop?.isTrue(facts)) return null;
          const token = cursor.value(facts);
          return isNothing(token) ? null : token;
        },
      };
    },
  }),
];

export const NO_PAGING: Paginator = {
  first: null,
  isNumbered: false,
  addressOf: () => null,
  inject: () => {},
  next: () => null,
};

export const PAGINATORS: readonly Component<"paginator">[] = [
  defineComponent({ type: "NoPagination", family: "paginator", options: {}, make: () => NO_PAGING }),
  defineComponent({
    type: "DefaultPaginator",
    family: "paginator",
    options: {
      pagination_strategy: Part,
      page_size_option: optional(Part),
      page_token_option: optional(Part),
      url_base: optional(z.unknown()),
      decoder: optional(Part),
    },
    slots: {
      pagination_strategy: {},
      page_size_option: { type: "RequestOption" },
      page_token_option: {},
      decoder: { type: "JsonDecoder" },
    },
    make({ pagination_strategy, page_size_option, page_token_option }, build): Paginator {
      const strategy = build.make("pageStrategy", pagination_strategy);
      const size = page_size_option ? build.make("requestOption", page_size_option) : null;
      if (size && strategy.pageSize === null && !usesInput(pagination_strategy))
        throw build.problem("page_size_option needs a page_size in the pagination strategy");
      const isPath = page_token_option?.type === "RequestPath";
      const token = page_token_option && !isPath ? build.make("requestOption", page_token_option) : null;
      return {
        first: strategy.first,
        isNumbered: strategy.isNumbered,
        addressOf: (value) => (isPath && value !== null ? plainText(value) : null),
        inject(draft, value) {
          if (size && strategy.pageSize !== null) size.inject(draft, strategy.pageSize);
          if (token && value !== null) token.inject(draft, value);
        },
        next: (value: Value, page) => strategy.next(value, page),
      };
    },
  }),
];

const usesInput = (node: { readonly [option: string]: unknown }): boolean =>
  String(node["page_size"] ?? "").includes("{");
