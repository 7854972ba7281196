/** Partial answers, as Google's APIs give them for `fields`: `a(b,c.d),e`. */
import { isObject, type Json } from "../kit.ts";

type Mask = Map<string, Mask>;

export function parseMask(text: string): Mask {
  let at = 0;
  const list = (): Mask => {
    const mask: Mask = new Map();
    for (;;) {
      const name = /^[A-Za-z]+/.exec(text.slice(at))?.[0];
      if (name === undefined) throw new Error(`Invalid field selection at ${at} of ${text}`);
      at += name.length;
      const inner: Mask =
        text[at] === "." ? ((at += 1), one()) : text[at] === "(" ? ((at += 1), closed()) : new Map<string, Mask>();
      mask.set(name, inner);
      if (text[at] !== ",") return mask;
      at += 1;
    }
  };
  const one = (): Mask => {
    const name = /^[A-Za-z]+/.exec(text.slice(at))?.[0] ?? "";
    at += name.length;
    const inner = text[at] === "." ? ((at += 1), one()) : text[at] === "(" ? ((at += 1), closed()) : new Map();
    return new Map([[name, inner]]);
  };
  const closed = (): Mask => {
    const inner = list();
    if (text[at] !== ")") throw new Error(`Invalid field selection at ${at} of ${text}`);
    at += 1;
    return inner;
  };
  return list();
}

export function masked(json: unknown, mask: Mask): unknown {
  if (mask.size === 0) return json;
  if (Array.isArray(json)) return json.map((one: unknown) => masked(one, mask));
  if (!isObject(json)) return json;
  const shown: Json = {};
  for (const [name, inner] of mask) if (name in json) shown[name] = masked(json[name], inner);
  return shown;
}
