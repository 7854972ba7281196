/** Empty for the three reasons: none yet, filtered out, no permission. */
import { Button } from "@mantine/core";
import { IconFilterOff, IconLock, IconSchema } from "@tabler/icons-react";
import { EmptyState } from "./empty-state.tsx";

export const NoneYet = () => (
  <EmptyState
    icon={<IconSchema size={22} />}
    title="No pipelines yet"
    body="A pipeline keeps one entity in agreement between your systems."
    action={<Button>Create pipeline</Button>}
  />
);

export const FilteredOut = () => (
  <EmptyState
    icon={<IconFilterOff size={22} />}
    title="Nothing matches"
    body="No record fits these filters."
    action={<Button variant="default">Clear filters</Button>}
  />
);

export const NoPermission = () => (
  <EmptyState
    compact
    icon={<IconLock size={20} />}
    title="You don't have access to this"
    body="An administrator can change that."
  />
);
