/** Switches between people and roles. */
import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";

const ADDRESS = { people: "/user", roles: "/settings/access-control/role-based" } as const;

export function AccessTabs({ at }: { at: keyof typeof ADDRESS }) {
  const { t } = useWords("identity");
  const navigate = useNavigate();
  return (
    <Tabs
      value={at}
      onChange={(next) => (next === "people" || next === "roles") && void navigate({ to: ADDRESS[next] })}
    >
      <Tabs.List>
        <Tabs.Tab value="people">{t("users.peopleTab")}</Tabs.Tab>
        <Tabs.Tab value="roles">{t("users.rolesTab")}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
