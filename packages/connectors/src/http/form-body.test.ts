/** JSON as a form. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { expect, test } from "vitest";
import { formOf } from "./form-body.ts";

test.for([
  [
    '{"name":"A & B","age":7,"big":12345678901234567890,"price":1.10}',
    "name=A & B|age=7|big=12345678901234567890|price=1.10",
  ],
  ['{"yes":true,"no":false,"nothing":null,"blank":""}', "yes=true|no=false|nothing=|blank="],
  ['{"address":{"city":"Kiel","at":{"lat":54}}}', "address[city]=Kiel|address[at][lat]=54"],
  ['{"tags":["a","b"],"items":[{"id":1},{"id":2}]}', "tags[0]=a|tags[1]=b|items[0][id]=1|items[1][id]=2"],
  ['{"tags":[],"metadata":{}}', "tags=|metadata="],
  ["{}", ""],
] as const)("%s", ([json, form]) => {
  const pairs = [...new URLSearchParams(formOf(parseExactJson(json)))];
  expect(pairs.map(([name, value]) => `${name}=${value}`).join("|")).toBe(form);
});
