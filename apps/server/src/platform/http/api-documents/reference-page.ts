/** The API reference for people: one page, made from the OpenAPI document, without a script or anything from elsewhere. */
import { API_PREFIX, PRODUCT } from "@accord/contracts";
import type { OpenApiDocument, Operation, Parameter } from "./openapi.ts";

type Json = Record<string, unknown>;

export function referencePage(document: OpenApiDocument, nonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "general");
  const names = [...groups.keys()].sort();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference - ${PRODUCT.name}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<nav aria-label="Groups"><a class="home" href="/">${PRODUCT.name}</a><h1>API reference</h1><p>Version ${PRODUCT.version}</p>
<ul>${names.map((name) => `<li><a href="#${name}">${escape(titleOf(name))}</a> <small>${groups.get(name)?.length}</small></li>`).join("")}</ul>
<p><a href="${API_PREFIX}/openapi.json">OpenAPI 3.1 document</a></p></nav>
<main>
<p class="intro">${escape(String((document["info"] as Json)["description"]))}</p>
${names.map((name) => `<section id="${name}"><h2>${escape(titleOf(name))}</h2>${(groups.get(name) ?? []).map((one) => operationHtml(one, document)).join("")}</section>`).join("\n")}
</main>
</body>
</html>`;
}

/** `audit-log` and `phoneHome` as words. */
const titleOf = (tag: string): string => {
  const text = tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function operationHtml(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  document: OpenApiDocument,
): string {
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const reply = contentOf(operation.responses["200"]);
  const errors = Object.entries(operation.responses).filter(([status]) => status !== "200");
  return `<details id="${operation.operationId}">
<summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${escape(path)}</code> <span>${escape(operation.summary)}</span></summary>
<p><code>${operation.operationId}</code> · may be called by: <code>${escape(operation["x-access"])}</code></p>
${parametersHtml(operation.parameters)}
${body ? `<h3>Body <small>${escape(body[0])}</small></h3>${schemaHtml(body[1].schema, document)}` : ""}
<h3>Reply</h3>${reply ? schemaHtml(reply, document) : ""}
${errors.length > 0 ? `<h3>Refusals</h3><dl>${errors.map(([status, response]) => `<dt>${status}</dt><dd>${paragraphs(String(response["description"]))}</dd>`).join("")}</dl>` : ""}
</details>`;
}

function contentOf(response: Json | undefined): Json | undefined {
  const content = response?.["content"] as Record<string, { schema: Json }> | undefined;
  return Object.values(content ?? {})[0]?.schema;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}</td><td>${required ? "required" : ""}</td><td><code>${escape(brief(schema))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table><thead><tr><th>Name</th><th>In</th><th></th><th>Type</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function schemaHtml(schema: Json, document: OpenApiDocument): string {
  const reference = schema["$ref"];
  const name = typeof reference === "string" ? reference.split("/").at(-1) : undefined;
  const shown = (name && document.components.schemas[name]) || schema;
  return `<pre>${escape(outline(shown, ""))}</pre>`;
}

/** Schemas as people write them: one property a line, with its type. */
function outline(schema: Json, indent: string, depth = 0): string {
  if (depth > 5) return "…";
  const properties = schema["properties"] as Record<string, Json> | undefined;
  if (properties) {
    const required = new Set((schema["required"] ?? []) as string[]);
    const lines = Object.entries(properties).map(
      ([name, of]) => `${indent}  ${name}${required.has(name) ? "" : "?"}: ${outline(of, `${indent}  `, depth + 1)}`,
    );
    return lines.length > 0 ? `{\n${lines.join("\n")}\n${indent}}` : "{}";
  }
  const items = schema["items"] as Json | undefined;
  if (items) return `[ ${outline(items, indent, depth + 1)} ]`;
  const values = schema["additionalProperties"];
  if (typeof values === "object" && values !== null) return `{ [key]: ${outline(values as Json, indent, depth + 1)} }`;
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (options) return options.map((option) => outline(option, indent, depth + 1)).join(" | ");
  return brief(schema);
}

function brief(schema: Json): string {
  if (schema["enum"]) return (schema["enum"] as unknown[]).map((value) => JSON.stringify(value)).join(" | ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (typeof schema["$ref"] === "string") return String(schema["$ref"]).split("/").at(-1) ?? "any";
  const options = schema["anyOf"] as Json[] | undefined;
  if (options) return options.map(brief).join(" | ");
  const limits = ["minLength", "maxLength", "minimum", "maximum", "default"]
    .filter((name) => schema[name] !== undefined && Math.abs(Number(schema[name] ?? 0)) < Number.MAX_SAFE_INTEGER)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`);
  const note = typeof schema["description"] === "string" ? [String(schema["description"])] : [];
  const type = String(schema["type"] ?? "any");
  const facts = [...note, ...limits];
  return facts.length > 0 ? `${type} (${facts.join(", ")})` : type;
}

/** `code`: text, one paragraph each. */
const paragraphs = (text: string) =>
  text
    .split("\n\n")
    .map((part) => `<p>${escape(part).replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`)
    .join("");

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

// The colours are those of the app's tokens; fonts and images from elsewhere are refused by the page's policy.
const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e2e6e1,#24322f);--page:light-dark(#f5f6f3,#0c1413);--surface:light-dark(#fff,#131d1b);--text:light-dark(#14211f,#e8efec);--faint:light-dark(#46544f,#b3c2bc);--link:light-dark(#0b6e69,#45cdbf);--get:light-dark(#2a62c9,#86aeff);--get-soft:light-dark(#e5edfb,#16274a);--post:light-dark(#256b31,#6ccb7a);--post-soft:light-dark(#e4f3e4,#15301b);--put:light-dark(#855800,#e9b949);--put-soft:light-dark(#fbf0d6,#33280d);--delete:light-dark(#be2c45,#ff7e90);--delete-soft:light-dark(#fbe6e9,#3a161d)}
*{box-sizing:border-box}html{scroll-behavior:smooth}@media(prefers-reduced-motion){html{scroll-behavior:auto}}
body{margin:0;display:grid;grid-template-columns:15rem minmax(0,1fr);background:var(--page);color:var(--text);font:14px/1.5 Geist,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem;background:#10211f;color:#d6e3df}
nav .home{font-size:1.05rem;font-weight:650;color:#fff}nav h1{font-size:.95rem;font-weight:550;margin:1rem 0 0}nav p{margin:0 0 1rem;color:#a5b8b2}nav ul{list-style:none;padding:0;margin:0 -.6rem 1rem}nav li a{display:inline-block;padding:.2rem .6rem;border-radius:6px}nav a{color:#d6e3df}nav a:hover{background:#213935;text-decoration:none}nav small{color:#a5b8b2}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}small{color:var(--faint);font-variant-numeric:tabular-nums}
main{padding:1.5rem 2rem 6rem;max-width:72rem}.intro{margin-top:0;max-width:56rem;color:var(--faint)}
section{scroll-margin-top:1rem}h2{font-size:1.1rem;font-weight:620;margin:2rem 0 .6rem}h3{font-size:.85rem;font-weight:550;margin:1rem 0 .4rem;color:var(--faint)}
details{border:1px solid var(--line);border-radius:8px;margin:.4rem 0;padding:0 1rem;background:var(--surface);scroll-margin-top:1rem}details[open]{padding-bottom:1rem}
summary{cursor:pointer;padding:.55rem 0;display:grid;grid-template-columns:4.5rem minmax(14rem,5fr) 6fr;gap:.25rem .75rem;align-items:baseline}summary::-webkit-details-marker{display:none}summary:hover code{color:var(--link)}summary span{color:var(--faint)}summary code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:6px}nav :focus-visible{outline-color:#45cdbf}
.method{justify-self:start;padding:.25rem .45rem;border-radius:5px;font:600 .7rem/1 ui-monospace,monospace;color:var(--get);background:var(--get-soft)}.post{color:var(--post);background:var(--post-soft)}.put,.patch{color:var(--put);background:var(--put-soft)}.delete{color:var(--delete);background:var(--delete-soft)}
code,pre{font:12.5px/1.5 ui-monospace,SFMono-Regular,monospace}pre{background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.75rem;white-space:pre-wrap;overflow:auto;max-height:28rem;margin:0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}th{font-weight:550;color:var(--faint)}
dl{display:grid;grid-template-columns:3rem 1fr;gap:.25rem .75rem;margin:0}dt{font-weight:600}dd{margin:0}dd p{margin:0}
@media(max-width:48rem){body{display:block}nav{position:static;height:auto}nav ul{columns:2}main{padding:1rem}summary{grid-template-columns:4.5rem 1fr}summary span{grid-column:1/-1}}
`;
