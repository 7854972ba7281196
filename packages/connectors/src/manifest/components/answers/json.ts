/** The JSON of an answer, numbers to the last digit. */
import { jsonOf } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import type { RawAnswer } from "../model.ts";

const utf8 = new TextDecoder();

export const textIn = ({ body }: RawAnswer): string => utf8.decode(body);

export const jsonIn = (answer: RawAnswer): Value =>
  jsonOf({ ...answer, headers: { ...answer.headers }, text: textIn(answer) });
