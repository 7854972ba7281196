/** The CRM's storage: companies in memory, every change appended to a journal file, compacted at each start. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";

export interface Company {
  id: string;
  name: string;
  domain: string | null;
  vat_number: string | null;
  industry: string | null;
  employees: number | null;
  annual_revenue: number | null;
  stage: "prospect" | "customer" | "former";
  phone: string | null;
  email: string | null;
  street: string | null;
  postal_code: string | null;
  city: string | null;
  country: string | null;
  owner: string | null;
  deleted: boolean;
  created_at: string;
  updated_at: string;
}

export type CompanyValues = Partial<Omit<Company, "id" | "deleted" | "created_at" | "updated_at">>;

export interface Change {
  at: string;
  by: string;
  kind: "created" | "changed" | "deleted";
  id: string;
  name: string;
  /** `phone: +49 … → +49 …` */
  details: string[];
}

export interface CompanyStore {
  get(id: string): Company | undefined;
  /** In the order of changes, after a place in it; tombstones included. */
  listChanged(after: string | null, from: { updatedAt: string; id: string } | null, size: number): Company[];
  search(text: string, from: number, size: number): { companies: Company[]; total: number };
  findBy(field: "domain" | "vat_number" | "email", value: string): Company[];
  create(values: CompanyValues, by: string, key?: string): Company;
  update(id: string, values: CompanyValues, by: string): Company | undefined;
  remove(id: string, by: string): boolean;
  recentChanges(): readonly Change[];
  close(): void;
}

type Entry = { company: Company; key?: string };

const RECENT = 60;
const KEYS_KEPT = 20_000;

export function openCompanyStore(path: string): CompanyStore {
  const companies = new Map<string, Company>();
  const idsByKey = new Map<string, string>();
  readJournal(path, ({ company, key }) => {
    companies.set(company.id, company);
    if (key) idsByKey.set(key, company.id);
  });
  compact(path, companies, idsByKey);
  const journal = openSync(path, "a");
  const recent: Change[] = [];
  let ordered: Company[] | null = null;
  let lastId = Math.max(10_000, ...[...companies.keys()].map(Number));
  let lastTime = Math.max(0, ...[...companies.values()].map((company) => Date.parse(company.updated_at)));

  /** Never the same moment twice: paging by time stamp stays exact. */
  const tick = (): string => new Date((lastTime = Math.max(lastTime + 1, Date.now()))).toISOString();
  const keep = (company: Company, change: Omit<Change, "at" | "id" | "name">, key?: string): Company => {
    companies.set(company.id, company);
    ordered = null;
    writeSync(journal, `${JSON.stringify({ company, key } satisfies Entry)}\n`);
    recent.unshift({ ...change, at: company.updated_at, id: company.id, name: company.name });
    recent.length = Math.min(recent.length, RECENT);
    return company;
  };
  const inOrder = (): Company[] => {
    ordered ??= [...companies.values()].sort((a, b) => (isBefore(a, { updatedAt: b.updated_at, id: b.id }) ? -1 : 1));
    return ordered;
  };

  return {
    get: (id) => {
      const company = companies.get(id);
      return company?.deleted ? undefined : company;
    },
    listChanged(after, from, size) {
      const all = inOrder();
      const start = from ?? (after === null ? null : { updatedAt: after, id: "" });
      const at = start === null ? 0 : firstAfter(all, start);
      return all.slice(at, at + size);
    },
    search(text, from, size) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const found = [...companies.values()].filter(
        (company) =>
          !company.deleted &&
          words.every((word) =>
            `${company.name} ${company.domain ?? ""} ${company.city ?? ""}`.toLowerCase().includes(word),
          ),
      );
      found.sort((a, b) => a.name.localeCompare(b.name));
      return { companies: found.slice(from, from + size), total: found.length };
    },
    findBy: (field, value) => [...companies.values()].filter((company) => !company.deleted && company[field] === value),
    create(values, by, key) {
      const known = key ? companies.get(idsByKey.get(key) ?? "") : undefined;
      if (known) return known;
      lastId += 1;
      const now = tick();
      const company: Company = { ...BLANK, ...values, id: String(lastId), created_at: now, updated_at: now };
      if (key) idsByKey.set(key, company.id);
      return keep(company, { by, kind: "created", details: [] }, key);
    },
    update(id, values, by) {
      const company = this.get(id);
      if (!company) return undefined;
      const details = differences(company, values);
      if (details.length === 0) return company;
      return keep({ ...company, ...values, updated_at: tick() }, { by, kind: "changed", details });
    },
    remove(id, by) {
      const company = this.get(id);
      if (!company) return false;
      keep({ ...company, deleted: true, updated_at: tick() }, { by, kind: "deleted", details: [] });
      return true;
    },
    recentChanges: () => recent,
    close() {
      fsyncSync(journal);
      closeSync(journal);
    },
  };
}

const BLANK: Omit<Company, "id" | "created_at" | "updated_at"> = {
  name: "",
  domain: null,
  vat_number: null,
  industry: null,
  employees: null,
  annual_revenue: null,
  stage: "prospect",
  phone: null,
  email: null,
  street: null,
  postal_code: null,
  city: null,
  country: null,
  owner: null,
  deleted: false,
};

const isBefore = (company: Company, place: { updatedAt: string; id: string }): boolean =>
  company.updated_at < place.updatedAt || (company.updated_at === place.updatedAt && company.id < place.id);

/** Binary search: the first company after a place in the order of changes. */
function firstAfter(all: readonly Company[], place: { updatedAt: string; id: string }): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const company = all[middle] as Company;
    const isUpTo = isBefore(company, place) || (company.updated_at === place.updatedAt && company.id === place.id);
    if (isUpTo) low = middle + 1;
    else high = middle;
  }
  return low;
}

const differences = (company: Company, values: CompanyValues): string[] =>
  Object.entries(values).flatMap(([field, value]) => {
    const before = company[field as keyof CompanyValues] ?? null;
    return before === (value ?? null) ? [] : [`${field.replaceAll("_", " ")}: ${before ?? "–"} → ${value ?? "–"}`];
  });

/** A last line cut short by a crash is left out: that change was never answered. */
function readJournal(path: string, each: (entry: Entry) => void): void {
  if (!existsSync(path)) return;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    try {
      each(JSON.parse(line) as Entry);
    } catch {
      return;
    }
  }
}

function compact(path: string, companies: Map<string, Company>, idsByKey: Map<string, string>): void {
  const keys = new Map([...idsByKey].slice(-KEYS_KEPT).map(([key, id]) => [id, key]));
  const lines = [...companies.values()].map((company) =>
    JSON.stringify({ company, key: keys.get(company.id) } satisfies Entry),
  );
  writeFileSync(`${path}.part`, lines.length === 0 ? "" : `${lines.join("\n")}\n`);
  renameSync(`${path}.part`, path);
}
