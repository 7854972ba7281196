/** Saved filters of an entity: apply, bookmark, delete, and save the filter in force. */
import type { Predicate } from "@accord/contracts/data/predicate";
import {
  bookmarkSavedFilter,
  createSavedFilter,
  deleteSavedFilter,
  listSavedFilters,
  saveSavedFilter,
  type SavedFilter,
} from "@accord/contracts/data/saved-filters";
import { EmptyState } from "@accord/ui";
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Modal,
  Popover,
  ScrollArea,
  Stack,
  TextInput,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { IconBookmark, IconBookmarkFilled, IconCheck, IconChevronDown, IconStar, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useSavedFilters, type EntityId } from "../queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import "./saved-filter-menu.css";

export interface SavedFilterMenuProps {
  entityId: EntityId;
  /** The condition in force; null: none. */
  current: Predicate | null;
  activeId: string | undefined;
  onApply: (filter: SavedFilter) => void;
  onSaved: (id: string) => void;
}

const sameCriteria = (a: Predicate, b: Predicate | null): boolean => JSON.stringify(a) === JSON.stringify(b);

export function SavedFilterMenu({ entityId, current, activeId, onApply, onSaved }: SavedFilterMenuProps) {
  const { t } = useWords("data");
  const mayWrite = useCan("WRITE_DATA_STUDIO");
  const [opened, setOpened] = useState(false);
  const [saving, setSaving] = useState(false);
  const [removing, setRemoving] = useState<SavedFilter>();
  const filters = useSavedFilters(entityId);
  const remove = useCall(deleteSavedFilter, { refreshes: [listSavedFilters] });
  const update = useCall(saveSavedFilter, { refreshes: [listSavedFilters], onError: (error) => toast.failed(error) });

  const all = filters.data?.filters ?? [];
  const active = all.find((filter) => filter.id === activeId);
  const isChanged = active !== undefined && current !== null && !sameCriteria(active.criteria, current);
  const ordered = [...all.filter((filter) => filter.bookmarked), ...all.filter((filter) => !filter.bookmarked)];

  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={320} trapFocus>
        <Popover.Target>
          <Button
            variant={active ? "light" : "default"}
            leftSection={<IconStar size={16} />}
            rightSection={<IconChevronDown size={14} />}
            onClick={() => setOpened((old) => !old)}
          >
            {active ? `${active.name}${isChanged ? ` · ${t("saved.changed")}` : ""}` : t("saved.menu")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={6}>
          {all.length === 0 ? (
            <EmptyState compact icon={<IconBookmark size={20} />} title={t("saved.none")} body={t("saved.noneBody")} />
          ) : (
            <ScrollArea.Autosize mah={320}>
              <ul className="ac-saved" aria-label={t("saved.menu")}>
                {ordered.map((filter) => (
                  <li key={filter.id}>
                    <UnstyledButton
                      className="ac-saved__apply"
                      aria-current={filter.id === activeId}
                      onClick={() => {
                        onApply(filter);
                        setOpened(false);
                      }}
                    >
                      <span>
                        {filter.name}
                        <small>{filter.description || t("saved.by", { name: filter.createdBy })}</small>
                      </span>
                      {filter.id === activeId ? <IconCheck size={14} aria-hidden /> : null}
                    </UnstyledButton>
                    <BookmarkButton filter={filter} />
                    {mayWrite ? (
                      <Tooltip label={t("saved.remove", { name: filter.name })}>
                        <ActionIcon
                          aria-label={t("saved.remove", { name: filter.name })}
                          onClick={() => {
                            setOpened(false);
                            setRemoving(filter);
                          }}
                        >
                          <IconTrash size={15} />
                        </ActionIcon>
                      </Tooltip>
                    ) : null}
                  </li>
                ))}
              </ul>
            </ScrollArea.Autosize>
          )}
          {mayWrite && current ? (
            <div className="ac-saved__foot">
              {isChanged ? (
                <Button
                  fullWidth
                  variant="default"
                  loading={update.isPending}
                  onClick={() =>
                    update.mutate({
                      params: { filterId: active.id },
                      body: {
                        name: active.name,
                        description: active.description,
                        tags: active.tags,
                        criteria: current,
                        version: active.version,
                      },
                    })
                  }
                >
                  {t("saved.update", { name: active.name })}
                </Button>
              ) : null}
              <Button
                fullWidth
                variant="subtle"
                onClick={() => {
                  setOpened(false);
                  setSaving(true);
                }}
              >
                {t("saved.save")}
              </Button>
            </div>
          ) : null}
        </Popover.Dropdown>
      </Popover>
      <Modal opened={saving && current !== null} onClose={() => setSaving(false)} title={t("saved.saveTitle")}>
        {saving && current ? (
          <SaveForm
            entityId={entityId}
            criteria={current}
            onDone={(id) => {
              setSaving(false);
              if (id) onSaved(id);
            }}
          />
        ) : null}
      </Modal>
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`${t("saved.remove", { name: removing?.name ?? "" })}?`}
        action={t("shell:action.delete")}
        onConfirm={async () => {
          if (!removing) return;
          await remove.mutateAsync({ params: { filterId: removing.id } });
          toast.success(t("saved.removed", { name: removing.name }));
        }}
      >
        {removing?.description ?? ""}
      </ConfirmDialog>
    </>
  );
}

/** Bookmarking is cheap and reversible, so the mark turns at once. */
function BookmarkButton({ filter }: { filter: SavedFilter }) {
  const { t } = useWords("data");
  const [shown, setShown] = useState<boolean>();
  const bookmark = useCall(bookmarkSavedFilter, {
    refreshes: [listSavedFilters],
    onSuccess: () => setShown(undefined),
    onError: (error) => {
      setShown(undefined);
      toast.failed(error);
    },
  });
  const on = shown ?? filter.bookmarked;
  const label = on ? t("saved.unbookmark", { name: filter.name }) : t("saved.bookmark", { name: filter.name });
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-pressed={on}
        onClick={() => {
          setShown(!on);
          bookmark.mutate({ params: { filterId: filter.id }, body: !on });
        }}
      >
        {on ? <IconBookmarkFilled size={15} /> : <IconBookmark size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

function SaveForm({
  entityId,
  criteria,
  onDone,
}: {
  entityId: EntityId;
  criteria: Predicate;
  onDone: (id?: string) => void;
}) {
  const { t } = useWords("data");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [bookmarked, setBookmarked] = useState(true);
  const create = useCall(createSavedFilter, { refreshes: [listSavedFilters] });
  const problem = create.error;
  const taken =
    problem instanceof ApiError && (problem.code === "name_taken" || problem.problemOf("name") !== undefined);
  const submit = async () => {
    const filter = await create
      .mutateAsync({ body: { name, description, criteria, accordEntityId: entityId, bookmarked } })
      .catch(() => undefined);
    if (!filter) return;
    toast.success(t("saved.savedToast", { name: filter.name }));
    onDone(filter.id);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap={12}>
        <TextInput
          data-autofocus
          label={t("saved.name")}
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.currentTarget.value)}
          error={taken ? explanationOf(problem) : undefined}
        />
        <TextInput
          label={t("saved.descriptionLabel")}
          value={description}
          maxLength={1000}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Checkbox
          label={t("saved.bookmarkIt")}
          checked={bookmarked}
          onChange={(event) => setBookmarked(event.currentTarget.checked)}
        />
        {problem && !taken ? <RefusalBox error={problem} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={() => onDone()}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" disabled={name.trim() === ""} loading={create.isPending}>
            {t("shell:action.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
