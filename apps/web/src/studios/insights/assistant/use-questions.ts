/** The questions of one sitting and what was proposed for each; asking goes on from the last proposal. */
import { type CardProposal, proposeCard } from "@accord/contracts/insights/card-assistant";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { asDatasetId } from "../queries.ts";

export interface Turn {
  question: string;
  proposal: CardProposal;
}

export interface Asking {
  datasetId: string | null;
  samples: boolean;
}

export function useQuestions() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  /** Stays until it is answered: a refused question can be asked in other words. */
  const [question, setQuestion] = useState("");
  const current = turns.at(-1);
  const call = useCall(proposeCard, {
    onSuccess: (proposal, { body }) => {
      setTurns((before) => [...before, { question: body.question, proposal }]);
      // What was typed while the answer came is the next question.
      setQuestion((now) => (now.trim() === body.question ? "" : now));
    },
  });
  return {
    turns,
    current,
    before: turns.at(-2)?.proposal,
    question,
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
