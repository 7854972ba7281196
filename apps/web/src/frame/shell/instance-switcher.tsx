/** Shows the working instance and switches it. Switching reloads the app, so that nothing of the old one stays. */
import { Menu, TextInput, UnstyledButton } from "@mantine/core";
import { switchInstance } from "@accord/contracts/identity/instances";
import { CountBadge } from "@accord/ui";
import { IconCheck, IconSearch, IconSelector, IconSettings } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../app/queries.ts";
import { useCan, useSession } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { findInstances } from "../../app/find-instances.ts";
import { RefusalBox } from "../../shared/refusal/refusal-box.tsx";

const SEARCH_FROM = 6;

export function InstanceSwitcher({ folded }: { folded: boolean }) {
  const { t } = useWords();
  const session = useSession();
  const navigate = useNavigate();
  const mayManage = useCan("LIST_INSTANCES");
  const [text, setText] = useState("");
  const change = useCall(switchInstance, { onSuccess: () => location.assign("/") });
  const name = session.currentInstanceName ?? "";
  const usable = session.instances.filter((instance) => instance.status === "ACTIVE");
  const found = findInstances(usable, text);

  return (
    <Menu position="bottom-start" width={260} onClose={() => setText("")} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className="ac-instance" title={folded ? name : undefined}>
          <span className="ac-instance__letter" aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="ac-hidden">{t("instance.label")}</span>
          <span className="ac-instance__name">{name}</span>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {t("instance.switchTo")} {usable.length > SEARCH_FROM ? <CountBadge count={usable.length} /> : null}
        </Menu.Label>
        {usable.length > SEARCH_FROM ? (
          <TextInput
            size="xs"
            m={4}
            aria-label={t("instance.search")}
            placeholder={t("instance.search")}
            leftSection={<IconSearch size={14} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : null}
        {change.isError ? <RefusalBox error={change.error} title={t("instance.switchFailed")} /> : null}
        <div className="ac-instance-list">
          {found.map((instance) => {
            const here = instance.accordId === session.currentInstanceAccordId;
            return (
              <Menu.Item
                key={instance.accordId}
                aria-current={here || undefined}
                rightSection={here ? <IconCheck size={15} /> : undefined}
                disabled={change.isPending}
                onClick={() => !here && change.mutate({ params: { instanceId: instance.accordId } })}
              >
                {instance.displayName}
              </Menu.Item>
            );
          })}
        </div>
        {found.length === 0 ? <Menu.Label>{t("instance.none", { text })}</Menu.Label> : null}
        {mayManage ? (
          <>
            <Menu.Divider />
            <Menu.Item
              closeMenuOnClick
              leftSection={<IconSettings size={15} />}
              onClick={() => void navigate({ href: "/instance" })}
            >
              {t("instance.manage")}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
