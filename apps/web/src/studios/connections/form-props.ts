/** What the parts of a connection's form are given: where a system is, and how Accord signs in there. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import type { RedirectOfConnection } from "./oauth/redirect-address.tsx";

interface PartProps {
  type: ConnectorType;
  problems?: Readonly<Record<string, string>>;
  showAll?: boolean;
  readOnly?: boolean;
}

export interface ConnectionFieldsProps extends PartProps {
  values: Readonly<Record<string, unknown>>;
  onChange: (values: Record<string, unknown>) => void;
  onErrors: (count: number) => void;
}

export interface SignInFormProps extends PartProps {
  /** What the choice of a method is called, where Accord is not who signs in. */
  label?: string;
  authType: string;
  /** What the connection is configured with: some kinds ask for secrets by it. */
  config: Readonly<Record<string, unknown>>;
  credentials: Readonly<Record<string, unknown>>;
  /** Secrets the server holds already. */
  stored?: readonly string[];
  onAuthType: (authType: string) => void;
  /** Settings of the chosen method, which are stored with the configuration. */
  onConfig?: (config: Record<string, unknown>) => void;
  onCredentials: (credentials: Record<string, unknown>) => void;
  onErrors?: (count: number) => void;
  /** Of connections that a person can sign in to at the system. */
  redirect?: RedirectOfConnection;
}
