/** Fragments: parts of graphs that were saved under a name, to be inserted as copies elsewhere. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { GraphGroup, GraphNode, GraphNote } from "./graph.ts";
import { Person } from "./pipelines.ts";

/** Pipelines of entities and of fields have other nodes: a fragment of one kind can't be inserted into the other. */
export const FragmentContext = z.enum(["entity", "field"]);
export type FragmentContext = z.output<typeof FragmentContext>;

/** As on the clipboard. */
const CopiedEdge = z.strictObject({
  id: z.string().min(1).max(100),
  source: z.string().max(100),
  sourceAnchor: z.int(),
  target: z.string().max(100),
  targetAnchor: z.int().nullable(),
  edgeType: z.string().max(200),
});

export const FragmentContent = z.strictObject({
  copyNodes: z.array(GraphNode).min(1, "needs at least one node").max(200),
  copyEdges: z.array(CopiedEdge).max(1000),
  copyGroups: z.array(GraphGroup).max(200),
  copyNotes: z.array(GraphNote).max(200).default([]),
});
export type FragmentContent = z.output<typeof FragmentContent>;

const described = {
  name: z.string().trim().min(1, "is required").max(120),
  description: z.string().max(1000).default(""),
  context: FragmentContext,
};

export const Fragment = z.strictObject({
  id: id("fragment"),
  ...described,
  content: FragmentContent,
  /** Not offered in the palettes of this instance. */
  hidden: z.boolean(),
  /** Name of the instance that shares it with this one; null: it was saved here. */
  sharedBy: z.string().nullable(),
  /** How many other instances it is shared with; 0 where it is shared with this one. */
  shareCount: z.int(),
  createdBy: Person,
  createdAt: z.iso.datetime(),
});
export type Fragment = z.output<typeof Fragment>;

const params = z.strictObject({ fragmentId: id("fragment") });

export const listFragments = endpoint({
  name: "listFragments",
  method: "GET",
  path: "/pipeline-fragments",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Fragments of the instance, and those that other instances share with it, by name; hidden ones included.",
  query: z.strictObject({ context: FragmentContext.optional() }),
  reply: z.strictObject({ fragments: z.array(Fragment) }),
});

export const saveFragment = endpoint({
  name: "saveFragment",
  method: "POST",
  path: "/pipeline-fragments",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Saves nodes and the edges among them as a fragment; sources, destinations, core nodes and loops are refused.",
  body: z.strictObject({ ...described, content: FragmentContent }),
  reply: Fragment,
  creates: true,
  errors: ["name_taken"],
});

export const deleteFragment = endpoint({
  name: "deleteFragment",
  method: "DELETE",
  path: "/pipeline-fragments/:fragmentId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Deletes a fragment of the instance, here and where it is shared; what was inserted stays.",
  params,
  reply: z.strictObject({}),
});

export const hideFragment = endpoint({
  name: "hideFragment",
  method: "POST",
  path: "/pipeline-fragments/:fragmentId/hide",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Takes a fragment out of the palettes of this instance.",
  params,
  reply: z.strictObject({}),
});

export const showFragment = endpoint({
  name: "showFragment",
  method: "POST",
  path: "/pipeline-fragments/:fragmentId/show",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Offers a hidden fragment in the palettes of this instance again.",
  params,
  reply: z.strictObject({}),
});

export const getFragmentShares = endpoint({
  name: "getFragmentShares",
  method: "GET",
  path: "/pipeline-fragments/:fragmentId/shares",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "The instances that a fragment of this instance is shared with.",
  params,
  reply: z.strictObject({ instanceIds: z.array(id("instance")) }),
});

export const shareFragment = endpoint({
  name: "shareFragment",
  method: "PUT",
  path: "/pipeline-fragments/:fragmentId/shares",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Shares a fragment with exactly these instances, which must be ones that the caller may work in.",
  params,
  body: z.strictObject({ instanceIds: z.array(id("instance")).max(1000) }),
  reply: z.strictObject({ instanceIds: z.array(id("instance")) }),
});
