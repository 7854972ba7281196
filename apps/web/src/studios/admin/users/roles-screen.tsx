/** All roles and, for the one chosen, what it allows. */
import { listRoles, type Role } from "@accord/contracts/identity/roles";
import { DataTable, PageBody, PageHeader, SidePanel, StatusTag, TableSkeleton, type Column } from "@accord/ui";
import { Pill } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { AccessTabs } from "./access-tabs.tsx";
import "./users-screen.css";
import "./roles-screen.css";

const route = getRouteApi("/signed-in/settings/access-control/role-based");

export function RolesScreen() {
  return (
    <Demand anyOf={["LIST_ROLES"]}>
      <Roles />
    </Demand>
  );
}

/** "WRITE_DATA_STUDIO" → "Write data studio" */
const wordsOfPermission = (permission: string): string => {
  const text = permission.toLowerCase().replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function Roles() {
  const { t } = useWords("identity");
  usePage({
    title: t("users.rolesTitle"),
    crumbs: [{ label: t("settings.title"), to: "/settings" }, { label: t("users.rolesTitle") }],
  });
  const roles = useEndpoint(listRoles);
  const { role: chosenKey } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = roles.data?.roles.find((role) => role.key === chosenKey);
  const open = (role: Role | undefined) => void navigate({ search: { role: role?.key }, replace: true });

  const columns: Column<Role>[] = [
    {
      id: "name",
      header: t("users.name"),
      minWidth: 200,
      sortValue: (role) => role.name,
      cell: (role) => (
        <>
          <strong>{role.name}</strong>
          {role.builtIn ? (
            <StatusTag tone="idle" plain>
              {t("users.builtIn")}
            </StatusTag>
          ) : null}
        </>
      ),
    },
    {
      id: "description",
      header: t("users.description"),
      grow: 2,
      minWidth: 220,
      cell: (role) => <span>{role.description}</span>,
    },
    {
      id: "permissions",
      header: t("users.permissionsHeader"),
      width: 140,
      align: "end",
      sortValue: (role) => role.permissions.length,
      cell: (role) => t("users.permissions", { count: role.permissions.length }),
    },
    {
      id: "users",
      header: t("users.holders"),
      width: 90,
      align: "end",
      sortValue: (role) => role.users,
      cell: (role) => role.users,
    },
  ];

  return (
    <div className="ac-roles">
      <PageBody fill>
        <PageHeader title={t("users.rolesTitle")} subtitle={t("users.rolesLead")} />
        <AccessTabs at="roles" />
        <QueryView query={roles} skeleton={<TableSkeleton columns={4} />}>
          {(data) => (
            <DataTable
              label={t("users.rolesTitle")}
              columns={columns}
              rows={data.roles}
              rowId={(role) => role.key}
              activeRow={chosen?.key}
              onRowOpen={open}
            />
          )}
        </QueryView>
      </PageBody>
      {chosen ? (
        <SidePanel
          title={chosen.name}
          subtitle={t("users.permissions", { count: chosen.permissions.length })}
          onClose={() => open(undefined)}
          takeFocus
        >
          <ul className="ac-permission-list" aria-label={t("users.rolePermissions", { name: chosen.name })}>
            {chosen.permissions.map((permission) => (
              <li key={permission}>
                <Pill>{wordsOfPermission(permission)}</Pill>
              </li>
            ))}
          </ul>
        </SidePanel>
      ) : null}
    </div>
  );
}
