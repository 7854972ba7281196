/** The people of the organisation: who they are, what they may do here, and what can be done about it. */
import { listRoles } from "@accord/contracts/identity/roles";
import {
  activateUser,
  deactivateUser,
  deleteUser,
  listUsers,
  reinviteUser,
  removeUser,
  type User,
} from "@accord/contracts/identity/users";
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  TableSkeleton,
  Toolbar,
  type Column,
  type RowAction,
  type Tone,
} from "@accord/ui";
import { Avatar, Button, Modal } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { AccessTabs } from "./access-tabs.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { OneTimeLink } from "./one-time-link.tsx";
import { RolesDialog } from "./roles-dialog.tsx";
import { userActions, type UserAction } from "./user-actions.model.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "./users-screen.css";

const route = getRouteApi("/signed-in/user");
const TONE: Record<User["status"], Tone> = { ACTIVE: "ok", PENDING: "warn", INACTIVE: "idle" };

export const fullName = (user: Pick<User, "firstName" | "lastName">): string =>
  `${user.firstName} ${user.lastName}`.trim();

export function UsersScreen() {
  return (
    <Demand anyOf={["LIST_USERS"]}>
      <Users />
    </Demand>
  );
}

type Dialog = { kind: "invite" } | { kind: "roles" | "link" | "deactivate" | "remove" | "delete"; user: User };

function Users() {
  const { t } = useWords("identity");
  usePage({ title: t("users.title") });
  const session = useSession();
  const mayInvite = useCan("INVITE_USER");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useEndpoint(listUsers);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);

  const found = useMemo(() => {
    const wanted = q.trim().toLowerCase();
    return (users.data?.users ?? []).filter((user) => `${fullName(user)} ${user.email}`.toLowerCase().includes(wanted));
  }, [users.data, q]);

  return (
    <PageBody fill>
      <PageHeader
        title={t("users.title")}
        subtitle={
          users.data
            ? t("users.count", { count: users.data.users.length, organisation: session.orgName })
            : session.orgName
        }
        actions={
          mayInvite ? (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setDialog({ kind: "invite" })}>
              {t("users.invite")}
            </Button>
          ) : null
        }
      />
      <AccessTabs at="people" />
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t("users.search")}
          onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </Toolbar>
      <QueryView query={users} skeleton={<TableSkeleton columns={5} />}>
        {() => <UsersTable users={found} onDialog={setDialog} />}
      </QueryView>
      {dialog?.kind === "invite" ? <InviteDialog onClose={close} /> : null}
      {dialog?.kind === "roles" ? <RolesDialog user={dialog.user} onClose={close} /> : null}
      {dialog?.kind === "link" ? (
        <Modal opened onClose={close} title={t("users.oneTimeLinkTitle", { name: fullName(dialog.user) })} size={480}>
          <OneTimeLink userId={dialog.user.id} lead={t("users.oneTimeLinkBody")} />
        </Modal>
      ) : null}
      <DeedDialog dialog={dialog} onClose={close} />
    </PageBody>
  );
}

function UsersTable({ users, onDialog }: { users: readonly User[]; onDialog: (dialog: Dialog) => void }) {
  const { t } = useWords("identity");
  const session = useSession();
  const roles = useEndpoint(listRoles, undefined, { enabled: useCan("LIST_ROLES") });
  const reinvite = useCall(reinviteUser, {
    refreshes: [listUsers],
    onSuccess: () => toast.success(t("users.reinvited")),
    onError: (error) => toast.failed(error),
  });
  const activate = useCall(activateUser, { refreshes: [listUsers], onError: (error) => toast.failed(error) });
  const busyId = reinvite.isPending
    ? reinvite.variables.params.userId
    : activate.isPending
      ? activate.variables.params.userId
      : undefined;

  const nameOfRole = (key: string) => roles.data?.roles.find((role) => role.key === key)?.name ?? key;
  const rolesHere = (user: User) =>
    user.orgAdmin
      ? [t("users.admin")]
      : ((session.currentInstanceAccordId ? user.userRoles[session.currentInstanceAccordId] : undefined) ?? []).map(
          nameOfRole,
        );

  const columns: Column<User>[] = [
    {
      id: "name",
      header: t("users.name"),
      minWidth: 200,
      grow: 1.3,
      sortValue: fullName,
      cell: (user) => (
        <span className="ac-person">
          <Avatar src={user.photo} alt="" size={24} color="brand" variant="light">
            {`${user.firstName.slice(0, 1)}${user.lastName.slice(0, 1)}`.toUpperCase()}
          </Avatar>
          <strong>{fullName(user)}</strong>
          {user.id === session.id ? <small>{t("users.you")}</small> : null}
        </span>
      ),
    },
    {
      id: "email",
      header: t("users.email"),
      minWidth: 200,
      grow: 1.3,
      sortValue: (user) => user.email,
      cell: (user) => <span>{user.email}</span>,
    },
    {
      id: "roles",
      header: t("users.roles"),
      minWidth: 180,
      sortValue: (user) => rolesHere(user).join(", "),
      cell: (user) => {
        const names = rolesHere(user);
        return (
          <span className={names.length === 0 ? "ac-quiet" : undefined}>
            {names.length === 0 ? t("users.noRoles") : names.join(", ")}
          </span>
        );
      },
    },
    {
      id: "status",
      header: t("users.status"),
      width: 120,
      sortValue: (user) => user.status,
      cell: (user) => (
        <StatusTag tone={TONE[user.status]} busy={busyId === user.id}>
          {t(`users.status${user.status}`)}
        </StatusTag>
      ),
    },
    {
      id: "lastSeen",
      header: t("users.lastSeen"),
      width: 140,
      sortValue: (user) => user.lastSeenAt,
      cell: (user) => <RelativeTime at={user.lastSeenAt} />,
    },
  ];

  const perform: Record<UserAction, (user: User) => void> = {
    editRoles: (user) => onDialog({ kind: "roles", user }),
    oneTimeLink: (user) => onDialog({ kind: "link", user }),
    reinvite: (user) => reinvite.mutate({ params: { userId: user.id } }),
    activate: (user) => activate.mutate({ params: { userId: user.id } }),
    deactivate: (user) => onDialog({ kind: "deactivate", user }),
    remove: (user) => onDialog({ kind: "remove", user }),
    delete: (user) => onDialog({ kind: "delete", user }),
  };
  const menu = (user: User): RowAction[] =>
    userActions(user, session).map((action) => ({
      label: t(`users.${action}`),
      danger: action === "delete" || action === "remove",
      onSelect: () => perform[action](user),
    }));

  return (
    <DataTable
      fill
      label={t("users.title")}
      columns={columns}
      rows={users}
      rowId={(user) => user.id}
      rowLabel={fullName}
      rowMenu={menu}
      empty={<EmptyState icon={<IconUsers size={22} />} title={t("users.none")} body={t("users.noneHint")} />}
    />
  );
}

function DeedDialog({ dialog, onClose }: { dialog: Dialog | undefined; onClose: () => void }) {
  const { t } = useWords("identity");
  const session = useSession();
  const deactivate = useCall(deactivateUser, { refreshes: [listUsers] });
  const remove = useCall(removeUser, { refreshes: [listUsers] });
  const erase = useCall(deleteUser, { refreshes: [listUsers] });
  if (!dialog || dialog.kind === "invite" || dialog.kind === "roles" || dialog.kind === "link") return null;
  const { kind, user } = dialog;
  const name = fullName(user);
  const run = { deactivate, remove, delete: erase }[kind];
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t(`users.${kind}Title`, { name, organisation: session.orgName })}
      action={t(`users.${kind}`)}
      onConfirm={() => run.mutateAsync({ params: { userId: user.id } })}
    >
      {t(`users.${kind}Body`, { name })}
    </ConfirmDialog>
  );
}
