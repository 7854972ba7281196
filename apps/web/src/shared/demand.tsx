/** A screen only for people who hold a permission; others read why they can't see it. */
import type { Permission } from "@accord/contracts";
import { EmptyState } from "@accord/ui";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { usePage } from "../app/page.ts";
import { can, useSession } from "../app/session.ts";
import { useWords } from "../app/words.ts";

interface Props {
  anyOf: readonly Permission[];
  /** Demanded in addition, as of an endpoint. */
  alsoNeeds?: Permission | undefined;
  children: ReactNode;
}

export function Demand({ anyOf, alsoNeeds, children }: Props) {
  const session = useSession();
  if (can(session, ...anyOf) && (alsoNeeds === undefined || can(session, alsoNeeds))) return children;
  return <NoPermission instance={session.currentInstanceName ?? session.orgName} />;
}

function NoPermission({ instance }: { instance: string }) {
  const { t } = useWords();
  usePage({ title: t("error.noPermissionTitle") });
  return (
    <EmptyState
      isPage
      icon={<IconLock size={22} />}
      title={t("error.noPermissionTitle")}
      body={t("error.noPermissionBody", { instance })}
    />
  );
}
