/** Where a system is and what it needs: a form made from its kind, or one that the kind has of its own. */
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import type { ConnectionFieldsProps } from "../form-props.ts";
import { ManifestFields } from "../manifest/manifest-fields.tsx";

export function ConnectionFields(props: ConnectionFieldsProps) {
  if (props.type.id === "manifest") return <ManifestFields {...props} />;
  const { type, ...form } = props;
  return <ConfigForm inputs={type.configFields} folded={["Advanced"]} {...form} />;
}
