import assert from "node:assert/strict";
import fc from "fast-check";
import { QueryTable, type QueryKind, type QueryName, type QuerySource } from "#lib/query";
import { compareTexts } from "#lib/text";

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}
const KINDS: Readonly<Record<string, QueryKind>> = {
  price: "number",
  title: "text",
  on: "boolean",
  day: "date",
  tags: "text",
  free: "any",
};
const source: QuerySource<Item> = {
  find: (name): QueryName<Item> | undefined => {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    return kind && { kind, path: [name], value: (item) => item[name] };
  },
  names: () => Object.keys(KINDS),
  key: ({ id }) => id,
  compareTexts,
  timezone: "UTC",
};

const day = fc.constantFrom(
  "2026-01-01",
  "2026-01-02",
  "2026-01-02T00:00Z",
  "2026-01-02T13:30:00Z",
  "2026-02-30",
);
const text = fc.constantFrom("", "a", "A", "Äpfel", "apple", "zebra", "10", "9", "x,y");
const number = fc.constantFrom(-1, 0, 1, 9, 10, 10.5);
const items = fc
  .array(
    fc.record(
      {
        price: fc.oneof(number, number.map(String), text, fc.constant(null)),
        title: fc.oneof(text, number),
        on: fc.oneof(fc.boolean(), fc.constantFrom("true", "no")),
        day: fc.oneof(day, text),
        tags: fc.array(text, { maxLength: 3 }),
        free: fc.oneof(
          text,
          number,
          fc.boolean(),
          day,
          fc.array(number, { maxLength: 2 }),
          fc.object(),
        ),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 40 },
  )
  .map((all) => all.map((one, at): Item => ({ ...one, id: `i${String(at).padStart(2, "0")}` })));
const operator = fc.constantFrom(
  ...(["is", "eq", "ne", "lt", "lte", "gt", "gte", "in", "nin"] as const),
  ...(["contains", "startsWith", "exists"] as const),
);
type Operator = typeof operator extends fc.Arbitrary<infer O> ? O : never;
interface Condition {
  readonly parameter: string;
  readonly name: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}
const operand: Readonly<Record<QueryKind, fc.Arbitrary<string>>> = {
  number: number.map(String),
  boolean: fc.constantFrom("true", "false"),
  date: day.filter((value) => value !== "2026-02-30"),
  text,
  any: fc.oneof(text, number.map(String), day, fc.constantFrom("true", "false")),
};
const condition: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...Object.keys(KINDS)), operator)
  .chain(([name, op]) => {
    const one = op === "exists" ? operand.boolean : operand[KINDS[name] ?? "any"];
    const max = op === "in" || op === "nin" || op === "is" ? 3 : 1;
    return fc
      .array(one, { minLength: 1, maxLength: max })
      .map((values) => ({ parameter: "filter", name, operator: op, values }));
  });
const order = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...Object.keys(KINDS)), dir: fc.constantFrom("asc", "desc") }),
  { selector: ({ name }) => name, maxLength: 3 },
);

/** The moments of a written date, from (with) to (without); null for another text. */
function moments(value: unknown): [number, number] | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value) || value.includes("02-30"))
    return null;
  const from = Date.parse(value.length === 10 ? `${value}T00:00Z` : value);
  return [from, value.length === 10 ? from + 86_400_000 : from + 1];
}

/** -1, 0 or 1; undefined where the two cannot be compared. */
function compare(value: unknown, wanted: string, kind: QueryKind): number | undefined {
  const [own, other] = [moments(value), moments(wanted)];
  if (kind === "date" || (kind === "any" && own && other)) {
    if (!own || !other) return undefined;
    return own[0] < other[0] ? -1 : own[0] >= other[1] ? 1 : 0;
  }
  const asNumber = (one: unknown): number => (String(one).trim() === "" ? Number.NaN : Number(one));
  if (kind === "number" || (kind === "any" && typeof value === "number")) {
    if (typeof value === "boolean") return undefined;
    const difference = asNumber(value) - asNumber(wanted);
    return Number.isNaN(difference) ? undefined : Math.sign(difference);
  }
  if (kind === "boolean" || (kind === "any" && typeof value === "boolean")) {
    const truths = ["false", "true"];
    const [a, b] = [truths.indexOf(String(value)), truths.indexOf(wanted)];
    return a < 0 || b < 0 ? undefined : Math.sign(a - b);
  }
  return typeof value === "object" ? undefined : Math.sign(compareTexts(String(value), wanted));
}

function isEqual(value: unknown, wanted: string, kind: QueryKind): boolean {
  const at = compare(value, wanted, kind);
  if (at !== 0) return false;
  const isText = kind === "text" || (kind === "any" && typeof value === "string");
  const isDated = kind === "any" && moments(value) !== null && moments(wanted) !== null;
  return !isText || isDated || String(value) === wanted;
}

const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.every(isAbsent));

/** The filter as its documentation says it, without any index. */
function holds(item: Item, { name, operator: op, values }: Condition): boolean {
  const kind = KINDS[name] ?? "any";
  const value = item[name];
  const [first = ""] = values;
  if (op === "exists") return isAbsent(value) !== (first === "true");
  const all: unknown[] = Array.isArray(value) ? value : [value];
  if (op === "is") return all.some((one) => one !== undefined && values.includes(String(one)));
  const equals = all.some(
    (one) => !isAbsent(one) && values.some((wanted) => isEqual(one, wanted, kind)),
  );
  if (op === "eq" || op === "in") return equals;
  if (op === "ne" || op === "nin") return !equals;
  const present = all.filter((one) => !isAbsent(one));
  if (op === "contains")
    return present.some((one) =>
      Array.isArray(value)
        ? typeof one !== "object" && String(one) === first
        : typeof one === "string" && one.toLowerCase().includes(first.toLowerCase()),
    );
  if (op === "startsWith")
    return present.some(
      (one) => typeof one === "string" && one.toLowerCase().startsWith(first.toLowerCase()),
    );
  const signs = { lt: [-1], lte: [-1, 0], gt: [1], gte: [0, 1] }[op];
  return present.some((one) => signs.includes(compare(one, first, kind) ?? Number.NaN));
}

describe("a query table", () => {
  it("selects what the filter selects from one item after the other", () => {
    fc.assert(
      fc.property(
        items,
        fc.array(condition, { maxLength: 3 }),
        fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
        (all, every, any) => {
          const table = new QueryTable(all, source);
          const query = { all: every, any, order: [], cursor: null };
          const wanted = all.filter(
            (item) =>
              every.every((one) => holds(item, one)) &&
              (any.length === 0 || any.some((group) => group.every((one) => holds(item, one)))),
          );
          for (const _ of [1, 2]) {
            const { items: found, total } = table.select(query, { offset: 0, limit: undefined });
            assert.deepEqual(
              found.map(({ id }) => id),
              wanted.map(({ id }) => id),
            );
            assert.equal(total, wanted.length);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("orders by each key in turn, absent values last, equal items by key", () => {
    fc.assert(
      fc.property(items, order, (all, keys) => {
        const table = new QueryTable(all, source);
        const { items: found } = table.select(
          { all: [], any: [], order: keys, cursor: null },
          { offset: 0, limit: undefined },
        );
        const compareItems = (a: Item, b: Item): number => {
          for (const { name, dir } of keys) {
            const [x, y] = [sortValue(a, name), sortValue(b, name)];
            if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1;
            if (x === undefined || y === undefined) continue;
            const sign = compareSorted(x, y);
            if (sign !== 0) return dir === "asc" ? sign : -sign;
          }
          return a.id < b.id ? -1 : 1;
        };
        assert.deepEqual(
          found.map(({ id }) => id),
          all.toSorted(compareItems).map(({ id }) => id),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("selects the same from items that their owner has sorted, and sorts no such order itself", () => {
    const none = { all: [], any: [], cursor: null };
    const whole = { offset: 0, limit: undefined };
    fc.assert(
      fc.property(items, condition, fc.constantFrom("asc", "desc"), (all, one, dir) => {
        const own = new QueryTable(all, source);
        const order = [{ name: "price", dir }] as const;
        const sorted = own.select({ ...none, order }, whole).items;
        const by = ({ name }: { readonly name: string }) => (name === "price" ? sorted : undefined);
        const table = new QueryTable({ all: () => all, by }, source);
        assert.equal(table.select({ ...none, order }, whole).items, sorted);
        for (const query of [
          { ...none, all: [one], order },
          { ...none, all: [one], order: [{ name: "title", dir }, ...order] },
        ])
          assert.deepEqual(table.select(query, whole).items, own.select(query, whole).items);
      }),
      { numRuns: 100 },
    );
  });

  it("continues after a cursor without gaps or duplicates, whatever was added or removed meanwhile", () => {
    fc.assert(
      fc.property(
        items,
        items,
        order,
        fc.integer({ min: 1, max: 5 }),
        (before, others, keys, limit) => {
          const query = { all: [], any: [], order: keys };
          const added = others.map((item): Item => ({ ...item, id: `n${item.id}` }));
          const removed = new Set(before.filter((_, at) => at % 5 === 4).map(({ id }) => id));
          const after = [...before.filter(({ id }) => !removed.has(id)), ...added];
          const seen: string[] = [];
          let cursor: string | null = "";
          for (let part = 0; part <= before.length + added.length && cursor !== null; part += 1) {
            const table: QueryTable<Item> = new QueryTable(part === 0 ? before : after, source);
            const found = table.select({ ...query, cursor }, { offset: 0, limit });
            seen.push(...found.items.map(({ id }) => id));
            cursor = found.nextCursor;
          }
          assert.equal(new Set(seen).size, seen.length);
          const lasting = before.map(({ id }) => id).filter((id) => !removed.has(id));
          assert.deepEqual(
            lasting.filter((id) => !seen.includes(id)),
            [],
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  for (const cursor of [
    "x",
    "%00",
    "e30",
    Buffer.from('["","x","y"]').toString("base64url"),
    Buffer.from('["price:asc",["x",1],"i1"]').toString("base64url"),
    Buffer.from('["title:asc",[1],"i1"]').toString("base64url"),
    "A".repeat(100_000),
    Buffer.from(`[${"[".repeat(1_000)}`).toString("base64url"),
  ]) {
    it(`responds 400 to the cursor ${cursor.slice(0, 20)}`, () => {
      const table = new QueryTable<Item>([{ id: "i1", price: 1 }], source);
      const query = { all: [], any: [], order: [{ name: "price", dir: "asc" as const }], cursor };
      assert.throws(() => table.select(query, { offset: 0, limit: 1 }), { status: 400 });
    });
  }

  it("accepts cursor values of another type", () => {
    const table = new QueryTable<Item>([{ id: "i1", price: 1 }], source);
    const cursor = Buffer.from('["price:asc",["x"],"i1"]').toString("base64url");
    const query = { all: [], any: [], order: [{ name: "price", dir: "asc" as const }], cursor };
    assert.equal(table.select(query, { offset: 0, limit: 1 }).items.length, 0);
  });
});

function sortValue(item: Item, name: string): string | number | undefined {
  const kind = KINDS[name] ?? "any";
  const given = item[name];
  const value: unknown = Array.isArray(given) ? given[0] : given;
  if (value === undefined || value === null || value === "" || typeof value === "object")
    return undefined;
  if (kind === "date") return moments(value)?.[0];
  if (kind === "number")
    return compare(value, "0", "number") === undefined ? undefined : Number(value);
  if (kind === "boolean") {
    const at = ["false", "true"].indexOf(String(value));
    return at < 0 ? undefined : at;
  }
  if (kind === "text") return String(value);
  return typeof value === "string" ? value : Number(value);
}

function compareSorted(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return Math.sign(a - b);
  if (typeof a === "string" && typeof b === "string") return Math.sign(compareTexts(a, b));
  return typeof a === "number" ? -1 : 1;
}
