/** Boxes for the roles one may give. */
import { listRoles } from "@accord/contracts/identity/roles";
import { FormSkeleton } from "@accord/ui";
import { Checkbox } from "@mantine/core";
import { useEndpoint } from "../../../app/queries.ts";
import { QueryView } from "../../../shared/query-view.tsx";

export interface RoleChoiceProps {
  legend: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  disabled?: boolean;
}

export function RoleChoice({ legend, value, onChange, disabled = false }: RoleChoiceProps) {
  const roles = useEndpoint(listRoles);
  return (
    <QueryView query={roles} skeleton={<FormSkeleton fields={3} />}>
      {(data) => (
        <fieldset className="ac-role-choice" disabled={disabled}>
          <legend>{legend}</legend>
          {data.roles
            .filter((role) => role.grantable || value.includes(role.key))
            .map((role) => (
              <Checkbox
                key={role.key}
                label={role.name}
                description={role.description}
                disabled={!role.grantable}
                checked={value.includes(role.key)}
                onChange={(event) =>
                  onChange(event.currentTarget.checked ? [...value, role.key] : value.filter((key) => key !== role.key))
                }
              />
            ))}
        </fieldset>
      )}
    </QueryView>
  );
}
