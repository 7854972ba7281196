/** One icon for each family of functions, and for the functions that steer the flow. */
import {
  IconAbc,
  IconArrowsJoin,
  IconArrowsShuffle,
  IconArrowsSplit2,
  IconBinaryTree2,
  IconBolt,
  IconCalendar,
  IconCornerDownLeft,
  IconCube,
  IconDatabaseExport,
  IconDatabaseImport,
  IconFilter,
  IconFunction,
  IconGitBranch,
  IconListDetails,
  IconLogicAnd,
  IconMathFunction,
  IconPencil,
  IconRefresh,
  IconSearch,
  IconSparkles,
  type Icon,
} from "@tabler/icons-react";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import type { NodeKind } from "../canvas/canvas.model.ts";

export type Family = FunctionDescription["family"];

const FAMILIES: Record<Family, Icon> = {
  flow: IconBinaryTree2,
  record: IconPencil,
  lookup: IconSearch,
  text: IconAbc,
  list: IconListDetails,
  logic: IconLogicAnd,
  math: IconMathFunction,
  date: IconCalendar,
  convert: IconArrowsShuffle,
  enrich: IconSparkles,
  action: IconBolt,
};

const FUNCTIONS: Readonly<Record<string, Icon>> = {
  predicate: IconArrowsSplit2,
  case: IconBinaryTree2,
  caseBranch: IconGitBranch,
  filter: IconFilter,
  mergePaths: IconArrowsJoin,
  forEach: IconRefresh,
  endLoop: IconCornerDownLeft,
};

const KINDS: Record<NodeKind, Icon> = {
  source: IconDatabaseExport,
  core: IconCube,
  function: IconFunction,
  action: IconBolt,
  sink: IconDatabaseImport,
};

interface IconProps {
  kind: NodeKind;
  apiName: string;
  family: Family | undefined;
  size: number;
  stroke: number;
}

/** The icon of a node or of an entry of the palette. */
export function NodeIcon({ kind, apiName, family, size, stroke }: IconProps) {
  const Icon = kind === "function" ? (FUNCTIONS[apiName] ?? FAMILIES[family ?? "flow"] ?? IconFunction) : KINDS[kind];
  return <Icon size={size} stroke={stroke} aria-hidden />;
}
