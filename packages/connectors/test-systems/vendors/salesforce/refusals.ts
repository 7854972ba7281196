/** How the simulated Salesforce refuses: a list of messages with codes, and with the fields that they are about. */
import { Refusal } from "../kit.ts";

export function refuse(status: number, errorCode: string, message: string, fields?: readonly string[]): never {
  throw new Refusal({ status, body: [fields ? { message, errorCode, fields } : { message, errorCode }] });
}

export const notFound = (): never => refuse(404, "NOT_FOUND", "The requested resource does not exist");
export const isDeleted = (): never => refuse(404, "ENTITY_IS_DELETED", "entity is deleted", []);
export const noColumn = (name: string, object: string): never =>
  refuse(400, "INVALID_FIELD", `No such column '${name}' on sobject of type ${object}`);
