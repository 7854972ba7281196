/** Controls as forms use them, with help, problem, disabled and busy. */
import {
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Radio,
  SegmentedControl,
  Select,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import { FormActions, FormPair, FormStack } from "./form-layout.tsx";

export const Form = () => (
  <FormStack onSubmit={() => {}}>
    <TextInput label="Host" description="Name or address, e.g. db.example.com" defaultValue="db.example.com" />
    <FormPair>
      <NumberInput label="Port" defaultValue={5432} hideControls />
      <TextInput label="Database" error="Database is required" required />
    </FormPair>
    <Select label="Encryption" data={["Required", "Preferred", "Off"]} defaultValue="Required" />
    <MultiSelect label="Tables" data={["customers", "invoices", "payments"]} defaultValue={["customers", "invoices"]} />
    <PasswordInput
      label="Password"
      defaultValue="not a secret"
      visibilityToggleButtonProps={{ "aria-label": "Show" }}
    />
    <Textarea label="Certificate" minRows={2} autosize />
    <Checkbox label="Read only" description="Nothing is ever written there." defaultChecked />
    <Switch label="Active" defaultChecked />
    <Radio.Group label="Direction" defaultValue="both">
      <div style={{ display: "flex", gap: 16, paddingTop: 4 }}>
        <Radio value="both" label="Both ways" />
        <Radio value="in" label="In" />
      </div>
    </Radio.Group>
    <FormActions>
      <Button variant="subtle">Test</Button>
      <Button variant="default">Cancel</Button>
      <Button type="submit">Save</Button>
    </FormActions>
  </FormStack>
);

export const Buttons = () => (
  <div style={{ display: "flex", flexWrap: "wrap", gap: 8, alignItems: "center" }}>
    <Button>Publish</Button>
    <Button variant="default">Share</Button>
    <Button variant="light">Add</Button>
    <Button variant="subtle">More</Button>
    <Button color="error">Delete pipeline</Button>
    <Button disabled>Save</Button>
    <Button loading>Saving</Button>
    <SegmentedControl data={["Draft", "Published"]} aria-label="Version" />
  </div>
);
