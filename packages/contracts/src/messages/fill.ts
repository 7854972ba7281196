/** Fills a message of the catalogues: `{{name}}` becomes the fact of that name. The browser's i18n does the same. */
export function fill(template: string, facts: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const fact = facts[name];
    return fact === undefined || fact === null ? whole : String(fact);
  });
}
