/** Whether deleted records are hidden, shown too, or shown alone. */
import { Button, Menu } from "@mantine/core";
import { IconCheck, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";

type Choice = "hide" | "show" | "only";

export function DeletedChoice({ value, onChange }: { value: Choice; onChange: (choice: Choice) => void }) {
  const { t } = useWords("data");
  const labels: Record<Choice, string> = {
    hide: t("list.deletedHide"),
    show: t("list.deletedShow"),
    only: t("list.deletedOnly"),
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant={value === "hide" ? "default" : "light"} leftSection={<IconTrash size={16} />}>
          {value === "hide" ? t("list.deleted") : labels[value]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(["hide", "show", "only"] as const).map((choice) => (
          <Menu.Item
            key={choice}
            onClick={() => onChange(choice)}
            rightSection={choice === value ? <IconCheck size={14} /> : null}
            aria-current={choice === value}
          >
            {labels[choice]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
