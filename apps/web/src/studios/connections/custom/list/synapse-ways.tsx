/** How each kind of custom synapse is made: where there are none yet, each is explained with its way in. */
import { Card, EmptyState } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconApi, IconCode, IconPlugConnected, IconWebhook } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";

export const MAKING = [
  { kind: "http", Icon: IconApi },
  { kind: "webhook", Icon: IconWebhook },
  { kind: "sdk", Icon: IconCode },
] as const;

export function useMake(): (synapseType: (typeof MAKING)[number]["kind"]) => void {
  const leave = useNavigate();
  return (synapseType) =>
    void leave({
      to: "/synapses/custom-synapses/$synapseType/$synapseId",
      params: { synapseType, synapseId: "new" },
    });
}

export function SynapseWays() {
  const { t } = useWords("customSynapses");
  const make = useMake();
  const mayWrite = useCan("WRITE_CONNECTOR");
  return (
    <>
      <EmptyState icon={<IconPlugConnected size={22} />} title={t("none")} body={t("noneBody")} />
      <div className="ac-sdk__ways">
        {MAKING.map(({ kind, Icon }) => (
          <Card
            key={kind}
            className="ac-sdk__way"
            title={
              <span className="ac-sdk__row">
                <Icon size={18} aria-hidden />
                {t(`making.${kind}.title`)}
              </span>
            }
          >
            <p>{t(`making.${kind}.body`)}</p>
            {mayWrite ? (
              <Button variant="default" onClick={() => make(kind)}>
                {t(`making.${kind}.action`)}
              </Button>
            ) : null}
          </Card>
        ))}
      </div>
    </>
  );
}
