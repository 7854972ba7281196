/** The questions of one sitting and what was proposed for each; asking goes on from the last proposal. */
import { getFeature } from "@accord/contracts/identity/instances";
import { type CardProposal, getCardAssistant, proposeCard } from "@accord/contracts/insights/card-assistant";
import { useRef, useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { asDatasetId } from "../parts/queries.ts";

export interface Turn {
  /** Of all questions of this sitting, undone ones included. */
  number: number;
  question: string;
  proposal: CardProposal;
}

export interface Asking {
  datasetId: string | null;
  samples: boolean;
}

const SWITCHED_OFF: ReadonlySet<string> = new Set(["feature_disabled", "assistant_off"]);

export function useQuestions() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const answered = useRef(0);
  /** Stays until it is answered: a refused question can be asked in other words. */
  const [question, setQuestion] = useState("");
  const current = turns.at(-1);
  const { timeZone } = useSession();
  const call = useCall(proposeCard, {
    onSuccess: (proposal, { body }) => {
      answered.current += 1;
      const number = answered.current;
      setTurns((before) => [...before, { number, question: body.question, proposal }]);
      // What was typed while the answer came is the next question.
      setQuestion((now) => (now.trim() === body.question ? "" : now));
    },
    onError: (error) => {
      // Switched off since the screen was opened: it says so.
      if (error instanceof ApiError && SWITCHED_OFF.has(error.code)) void refresh(getFeature, getCardAssistant);
    },
  });
  return {
    turns,
    current,
    before: turns.at(-2)?.proposal,
    question,
    /** Whether something would be lost without the screen. */
    hasWork: current !== undefined || question.trim() !== "",
    setQuestion,
    isAsking: call.isPending,
    error: call.error,
    ask(text: string, { datasetId, samples }: Asking): void {
      const asked = text.trim();
      if (asked === "" || call.isPending) return;
      call.mutate({
        body: {
          question: asked,
          ...(current ? { previous: current.proposal.intent } : datasetId ? { datasetId: asDatasetId(datasetId) } : {}),
          samples: samples && datasetId !== null,
          timeZone,
        },
      });
    },
    undo(): void {
      call.reset();
      // The question comes back, so that it can be asked in other words.
      setQuestion((now) => (now.trim() === "" ? (current?.question ?? "") : now));
      setTurns((before) => before.slice(0, -1));
    },
    startOver(): void {
      call.reset();
      setTurns([]);
    },
  };
}

export type Questions = ReturnType<typeof useQuestions>;
