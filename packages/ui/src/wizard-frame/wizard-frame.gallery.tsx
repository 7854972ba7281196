/** A wizard in the middle of its steps. */
import { TextInput } from "@mantine/core";
import { WizardFrame } from "./wizard-frame.tsx";

const STEPS = [
  { id: "configure", label: "Configure" },
  { id: "test", label: "Test & authenticate" },
  { id: "review", label: "Review & submit" },
];

export const SecondStep = () => (
  <WizardFrame
    steps={STEPS}
    current="test"
    reached="test"
    onStep={() => {}}
    onBack={() => {}}
    onNext={() => {}}
    footer="Nothing is saved before the last step"
  >
    <TextInput label="API key" />
  </WizardFrame>
);
