/** Leads to the assistant, where the feature is on; without a provider it says that one has to be configured, and where. */
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import { useMayMakeCards } from "./may-make-cards.ts";
import { useAssistant } from "./use-assistant.ts";

export function AskButton({ params, ...button }: ButtonProps & { params?: { dashboardId: string; version: string } }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const mayMakeCards = useMayMakeCards();
  const { isEnabled, assistant } = useAssistant();
  if (!mayMakeCards || !isEnabled || !assistant) return null;
  const isOff = assistant.assistant === "none";
  const open = (): void =>
    void (params
      ? navigate({ to: "/insights-studio/$dashboardId/$version/aiassisted", params })
      : navigate({ to: "/insights-studio/aiassisted" }));
  return (
    <Tooltip label={t("assistant.actionOff")} disabled={!isOff} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant="default"
        leftSection={<IconMessageQuestion size={16} />}
        {...button}
        aria-description={isOff ? t("assistant.actionOff") : undefined}
        onClick={open}
      >
        {t("assistant.action")}
      </Button>
    </Tooltip>
  );
}
