/**
 * Edits a predicate tree: conditions with operators that fit their field's type, and nested groups. Every control is an
 * ordinary one, so Tab, arrows and Enter work throughout; focus stays near what was added or removed.
 */
import type { Condition, Predicate, PredicateGroup } from "@accord/contracts/data/predicate";
import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { IconFolderPlus, IconPlus, IconTrash } from "@tabler/icons-react";
import { useId, useRef } from "react";
import { useWords } from "../../app/words.ts";
import { useFocusOnceShown } from "../focus-once-shown.ts";
import { ConditionRow } from "./condition-row.tsx";
import {
  added,
  asGroup,
  changed,
  EMPTY_GROUP,
  neighbourOf,
  newCondition,
  type BuilderScope,
  type Path,
} from "./predicate.model.ts";
import "./predicate-builder.css";

export interface PredicateBuilderProps {
  value: Predicate | null | undefined;
  onChange: (value: PredicateGroup) => void;
  scope: BuilderScope;
  readOnly?: boolean;
  /** What is wrong, by the condition's dotted path: `children.0`. */
  problems?: Readonly<Record<string, string>>;
  /** Names the whole for screen readers. */
  label?: string;
}

const DEEPEST = 5;

export function PredicateBuilder({
  value,
  onChange,
  scope,
  readOnly = false,
  problems = {},
  label,
}: PredicateBuilderProps) {
  const { t } = useWords("builder");
  const root = asGroup(value);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();

  const focusOnceShown = useFocusOnceShown();
  const focus = (path: Path) =>
    focusOnceShown(() =>
      box.current?.querySelector(`[data-path="${path.join(".")}"]`)?.querySelector<HTMLElement>("input, button"),
    );
  const edit: Editing = {
    scope,
    readOnly,
    problems,
    change: (path, next) => onChange(changed(root, path, () => next)),
    remove: (path) => {
      onChange(changed(root, path, () => undefined));
      focus(neighbourOf(path));
    },
    addCondition: (path, group) => {
      onChange(added(root, path, newCondition(scope)));
      focus([...path, group.children.length]);
    },
    addGroup: (path, group) => {
      onChange(added(root, path, { ...EMPTY_GROUP, combinator: "or", children: [newCondition(scope)] }));
      focus([...path, group.children.length, 0]);
    },
  };
  return (
    <div className="ac-predicate" ref={box} id={id} role="group" aria-label={label ?? t("predicate.group")}>
      <GroupView group={root} path={[]} edit={edit} />
    </div>
  );
}

interface Editing {
  scope: BuilderScope;
  readOnly: boolean;
  problems: Readonly<Record<string, string>>;
  change: (path: Path, next: Predicate) => void;
  remove: (path: Path) => void;
  addCondition: (path: Path, group: PredicateGroup) => void;
  addGroup: (path: Path, group: PredicateGroup) => void;
}

const keyOfPath = (path: Path): string => path.map((index) => `children.${index}`).join(".");

function GroupView({ group, path, edit }: { group: PredicateGroup; path: Path; edit: Editing }) {
  const { t } = useWords("builder");
  const isRoot = path.length === 0;
  const setCombinator = (combinator: string) =>
    edit.change(path, { ...group, combinator: combinator === "or" ? "or" : "and" });
  const isEmpty = group.children.length === 0;
  return (
    <div className="ac-predicate__group" data-root={isRoot || undefined} data-path={path.join(".")}>
      {isEmpty && isRoot ? (
        <p className="ac-predicate__none">{t("predicate.none")}</p>
      ) : (
        <div className="ac-predicate__head">
          {isRoot && group.children.length < 2 ? null : (
            <SegmentedControl
              size="xs"
              aria-label={t("predicate.match")}
              value={group.combinator}
              onChange={setCombinator}
              disabled={edit.readOnly}
              data={[
                { value: "and", label: t("predicate.all") },
                { value: "or", label: t("predicate.any") },
              ]}
            />
          )}
          {isRoot || edit.readOnly ? null : (
            <ActionIcon aria-label={t("predicate.removeGroup")} onClick={() => edit.remove(path)}>
              <IconTrash size={15} />
            </ActionIcon>
          )}
        </div>
      )}
      {group.children.map((child, index) => {
        const childPath = [...path, index];
        // Position is what a condition is known by: it has no id, and typing must not lose the focus.
        return child.type === "group" ? (
          <GroupView key={index} group={child} path={childPath} edit={edit} />
        ) : (
          <ConditionRow
            key={index}
            condition={child}
            scope={edit.scope}
            readOnly={edit.readOnly}
            problem={edit.problems[keyOfPath(childPath)]}
            path={childPath.join(".")}
            name={`${t("predicate.condition")} ${index + 1}`}
            onChange={(next: Condition) => edit.change(childPath, next)}
            onRemove={() => edit.remove(childPath)}
          />
        );
      })}
      {edit.readOnly ? null : (
        <div className="ac-predicate__add">
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => edit.addCondition(path, group)}
          >
            {t("predicate.addCondition")}
          </Button>
          {path.length < DEEPEST && !isEmpty ? (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconFolderPlus size={14} />}
              onClick={() => edit.addGroup(path, group)}
            >
              {t("predicate.addGroup")}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}
